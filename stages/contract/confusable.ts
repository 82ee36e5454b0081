import type { Reason } from '../../schemas/contract-report.ts';
import type { Lexed } from './lexer.ts';
import { byteCounter } from './scanners/spans.ts';

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
];

/** A name that mixes scripts whose letters look alike. */
const isMixed = (text: string) =>
  /^[\p{L}_$][\p{L}\p{N}_$']*$/u.test(text) &&
  scripts.filter((script) => script.test(text)).length > 1;

/** New names that can be taken for others; told and not punished, since other languages write so by right. */
export function confusableNotes(
  path: string,
  before: Lexed | null,
  text: string,
  after: Lexed,
): Reason[] {
  const foreign = after.tokens.filter(({ text }) => /[^\0-\x7f]/u.test(text));
  if (foreign.length === 0) return [];
  const known = new Set(before?.tokens.map(({ text }) => text));
  const byteAt = byteCounter(text);
  return foreign.flatMap(({ text: name, at }): Reason[] => {
    if (known.has(name) || !isMixed(name)) return [];
    return [{ code: 'note.confusable', path, at: byteAt(at), detail: `"${name}" mixes scripts` }];
  });
}
