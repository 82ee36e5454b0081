import { bodyHits, declaredSpans, textOrThrow } from '../frames/outer-syntax.ts';
import { commandSpans, mayHoldModifiers, spanHits } from '../frames/spans.ts';
import { lexIsabelle, type Outer, scanIsabelle } from '../scanners/isabelle.ts';
import { methodCommands, proofCommands, refusedCommands } from '../scanners/isabelle-commands.ts';
import { isabelleDeclarations } from '../scanners/isabelle-declarations.ts';
import { frameTokens } from '../scanners/spans.ts';
import type { FrameInput, Profile } from './profile.ts';

const modifiers = new Set(['private', 'qualified']);

/** Commands with nothing after them: the next word is a command again. */
const bare = new Set('. .. done next { } moreover ultimately'.split(' '));

/** Names that a theory's header adds to the commands: `keywords "foo" "bar" :: thy_decl and "and_now"`. */
function headerKeywords(text: string): Set<string> {
  const { tokens } = lexIsabelle(text);
  const from = tokens.findIndex((token) => token.text === 'keywords');
  const to = tokens.findIndex((token, at) => at > from && token.text === 'begin');
  const header = from === -1 || to === -1 ? [] : tokens.slice(from, to);
  return new Set(header.flatMap(({ inner }) => (inner === undefined ? [] : [inner])));
}

type Wrong = { readonly at: number; readonly detail: string };

/** Methods that may follow each command without brackets; one more word would stand where a command begins. */
const atMost = (command: string) => (command === 'by' ? 2 : 1);

const isStray = (command: string, words: number) =>
  bare.has(command) || (methodCommands.has(command) && words > atMost(command));

const depthOf = new Map([
  ['(', 1],
  ['[', 1],
  [')', -1],
  [']', -1],
]);

/** A word that stands where a command begins and is none that is known. */
function strayWord(tokens: readonly Outer[]): Wrong | null {
  let [command, words, depth] = ['.', 0, 0];
  for (const { text, at } of tokens) {
    if (proofCommands.has(text)) {
      [command, words, depth] = [text, 0, 0];
      continue;
    }
    if (depth === 0 && !/^[[+?]$/u.test(text)) words += 1;
    depth += depthOf.get(text) ?? 0;
    if (isStray(command, words)) return { at, detail: `"${text}" where a proof command begins` };
  }
  return null;
}

function judge(body: string, own: ReadonlySet<string>): Wrong | null {
  const { tokens } = lexIsabelle(body);
  const bad = tokens.find(({ text }) => refusedCommands.has(text) || own.has(text));
  if (bad) return { at: bad.at, detail: `"${bad.text}" in a proof` };
  const old = scanIsabelle(body).tokens.find(({ text }) => text === '{*');
  return old ? { at: old.at, detail: 'verbatim text of old releases' } : strayWord(tokens);
}

function regionKind(input: FrameInput) {
  const own = headerKeywords(textOrThrow(input.base));
  return bodyHits(input, (body) => judge(body, own));
}

/** Commands with what belongs to them; a modifier that a body may hold belongs to the next one. */
function commandsOf(input: FrameInput) {
  const own = headerKeywords(textOrThrow(input.base));
  const isJoined = mayHoldModifiers(input);
  const opens = (text: string) =>
    proofCommands.has(text) || refusedCommands.has(text) || own.has(text);
  return (text: string) => {
    const { tokens } = lexIsabelle(text);
    return commandSpans(
      tokens,
      (index) => opens(tokens[index]?.text ?? ''),
      (first, _, next) => (isJoined && modifiers.has(first) ? next : null),
    );
  };
}

/** Isabelle theories, checked on their outer syntax; no Isabelle takes part. */
export const isabelle: Profile = {
  name: 'isabelle',
  extensions: ['.thy'],
  tokens: (_, bytes) => frameTokens(bytes, scanIsabelle),
  syntactic: (input) => spanHits(input, commandsOf(input), false),
  regionKinds: { 'proof-body': regionKind, any: null },
  declarations: (_, bytes) => {
    const text = textOrThrow(bytes);
    return declaredSpans(text, isabelleDeclarations(lexIsabelle(text).tokens));
  },
};
