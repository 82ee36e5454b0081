import type { Rejection } from '../../schemas/rejection.ts';
import { isCodeName, wordsOf } from '../weave/tokens.ts';

type Facts = {
  readonly statement: string;
  readonly pins: { readonly names: readonly string[]; readonly literals: readonly string[] };
  readonly internal: readonly string[];
  readonly commits: readonly string[];
  readonly testNames: readonly string[];
};

/** Gate 2: the statement neither gives the fix away nor hides what a test pins. */
export function checkStatement(facts: Facts): Rejection | null {
  const leaks = leaksIn(facts);
  if (leaks.length > 0)
    return {
      code: 'statement-leak',
      detail: `the statement gives away ${quoted(leaks)}`,
      evidence: leaks,
    };
  const silent = unstated(facts);
  if (silent.length === 0) return null;
  const detail = `tests pin ${quoted(silent)}, which neither the statement nor the base declares`;
  return { code: 'statement-silent', detail, evidence: silent };
}

/** Words of the statement that only someone who has seen the gold change could write. */
export function leaksIn({
  statement,
  internal,
  commits,
  testNames,
}: Omit<Facts, 'pins'>): string[] {
  const words = new Set(wordsOf(statement));
  const names = internal.filter((name) => isCodeName(name) && words.has(name));
  const hashes = (statement.match(/\b[0-9a-f]{7,40}\b/g) ?? []).filter((word) =>
    commits.some((commit) => commit.startsWith(word)),
  );
  const folded = fold(statement);
  const tests = testNames.filter((name) =>
    isTelling(name) ? folded.includes(fold(name)) : isCodeName(name) && words.has(name),
  );
  return [...names, ...hashes, ...tests];
}

/** A path, or a title so long that nobody arrives at it by writing about the same thing. */
const isTelling = (name: string): boolean => name.includes('/') || name.split(/\s+/).length >= 5;

function unstated({ statement, pins }: Facts): string[] {
  const words = new Set(wordsOf(statement));
  const folded = fold(statement);
  return [
    ...pins.names.filter((name) => !words.has(name)),
    ...pins.literals.filter((literal) => !folded.includes(fold(literal))),
  ];
}

const fold = (text: string): string =>
  text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
const quoted = (words: readonly string[]): string =>
  words
    .slice(0, 5)
    .map((word) => `"${word}"`)
    .join(', ');
