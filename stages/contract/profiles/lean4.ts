import { bodyHits, declaredSpans, textOrThrow } from '../frames/outer-syntax.ts';
import { commandSpans, mayHoldModifiers, spanHits } from '../frames/spans.ts';
import { lexLean, scanLean } from '../scanners/lean.ts';
import { leanCommands, leanModifiers } from '../scanners/lean-commands.ts';
import { frameTokens } from '../scanners/spans.ts';
import type { FrameInput, Profile } from './profile.ts';

type Tokens = ReturnType<typeof lexLean>['tokens'];
type Wrong = { readonly at: number; readonly detail: string };

const commands = new Set([...leanCommands, '@[']);
const hashCommands = new Set(
  '#eval #eval! #check #check_failure #print #reduce #exit #synth #guard #guard_msgs #help #where #version'.split(
    ' ',
  ),
);

/** A token that begins a command. `x#w` is a number with a width and none. */
function opens(tokens: Tokens, index: number): boolean {
  const { text, at } = tokens[index] ?? { text: '', at: 0 };
  if (!/^#[A-Za-z_]/u.test(text)) return commands.has(text);
  return hashCommands.has(text) || tokens[index - 1]?.end !== at;
}

/** `open … in`, modifiers and attribute lists belong to the command that follows. */
function joined(first: string, last: string, next: string): string | null {
  return leanModifiers.has(first) || last === 'in' ? next : within(first, last);
}

/** What an attribute list holds belongs to it. */
const within = (first: string, last: string) => (first === '@[' && last !== ']' ? first : null);

function piecesOf(text: string, isJoined: boolean) {
  const { tokens } = lexLean(text);
  return commandSpans(tokens, (index) => opens(tokens, index), isJoined ? joined : within);
}

/** A token that is the first one of its line and no deeper than the declaration. */
function shallow(body: string, tokens: Tokens, declared: number): Wrong | null {
  let previous = -1;
  for (const { at, end } of tokens) {
    const isFirst = previous === -1 || body.slice(previous, at).includes('\n');
    const column = at - (body.lastIndexOf('\n', at) + 1);
    if (isFirst && column <= declared)
      return { at, detail: 'a line no deeper than the declaration' };
    previous = end;
  }
  return null;
}

const openers = new Set('( [ { ⟨ ⟦ ‹'.split(' '));
const closers = new Set(') ] } ⟩ ⟧ ›'.split(' '));
/** Words and signs that need something after them. */
const unfinished = new Set(
  'by at with using in from then else if do | ; , : = + * / < > ∧ ∨ → ↔ ∘ · fun λ have show exact apply refine let calc where'.split(
    ' ',
  ),
);

/** A body that takes the protected text after it for its own. */
function dangling(body: string, tokens: Tokens): Wrong | null {
  let [depth, lowest] = [0, 0];
  for (const { text } of tokens) {
    depth += openers.has(text) ? 1 : closers.has(text) ? -1 : 0;
    lowest = Math.min(lowest, depth);
  }
  const last = tokens.at(-1);
  const isWhole = depth === 0 && lowest === 0;
  if (last === undefined || (isWhole && !unfinished.has(last.text))) return null;
  return { at: last.at, detail: `"${body.slice(last.at, last.end)}" takes protected text` };
}

function regionKind(input: FrameInput) {
  const text = textOrThrow(input.candidate);
  const { tokens } = lexLean(text);
  const pieces = piecesOf(text, true);
  return bodyHits(input, (body, from) => {
    const own = lexLean(body).tokens;
    const bad = own.find((_, index) => opens(own, index));
    if (bad) return { at: bad.at, detail: `"${bad.text}" begins a command` };
    const head = pieces.findLast(({ at }) => at < from)?.at ?? 0;
    const wrong = shallow(body, own, head - (text.lastIndexOf('\n', head) + 1));
    if (wrong !== null) return wrong;
    const next = tokens.findIndex(({ at }) => at >= from + body.length);
    return next === -1 || opens(tokens, next) ? null : dangling(body, own);
  });
}

const kinds = new Set(
  'theorem lemma def abbrev inductive structure class instance axiom opaque'.split(' '),
);

function declarations(_: string, bytes: Uint8Array) {
  const text = textOrThrow(bytes);
  const { tokens } = lexLean(text);
  const starts = tokens.flatMap(({ text: kind, at }, index) => {
    const name = tokens[index + 1]?.text ?? '';
    return kinds.has(kind) && /^[\p{L}_«]/u.test(name) ? [{ kind, name, at }] : [];
  });
  return declaredSpans(text, starts);
}

/** Lean 4 as far as its own tokens go; its commands and columns, no elaboration. */
export const lean4: Profile = {
  name: 'lean4',
  extensions: ['.lean'],
  tokens: (_, bytes) => frameTokens(bytes, scanLean),
  syntactic: (input) => spanHits(input, (text) => piecesOf(text, mayHoldModifiers(input)), true),
  regionKinds: { 'proof-script': regionKind, any: null },
  declarations,
};
