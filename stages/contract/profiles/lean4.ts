import { bodyHits, declaredSpans, textOrThrow } from '../frames/outer-syntax.ts';
import { scanLean } from '../scanners/lean.ts';
import { frameTokens } from '../scanners/spans.ts';
import type { DeclarationSpan, FrameInput, Profile } from './profile.ts';

/** Words that begin a command of Lean; none may stand in a proof. */
const commands = new Set(
  `open namespace section import attribute local scoped notation infix infixl infixr prefix postfix syntax
  instance deriving theorem lemma def abbrev end axiom opaque example inductive structure class mutual universe variable
  set_option macro macro_rules elab elab_rules initialize builtin_initialize run_cmd export private protected noncomputable unsafe
  partial extern implemented_by csimp #eval #check #print #reduce #exit @[`.split(/\s+/u),
);

function judge(body: string, declaredColumn: number) {
  const { tokens } = scanLean(body);
  const bad = tokens.find(
    ({ text }, at) => commands.has(text) || (text === '@' && tokens[at + 1]?.text === '['),
  );
  if (bad) return { at: bad.at, detail: `"${bad.text}" begins a command` };
  let start = 0;
  for (const line of body.split('\n')) {
    const column = /^ */u.exec(line)?.[0].length ?? 0;
    if (line.trim() !== '' && column <= declaredColumn)
      return { at: start, detail: 'a line no deeper than the declaration' };
    start += line.length + 1;
  }
  return null;
}

function regionKind(input: FrameInput) {
  const text = textOrThrow(input.base);
  return bodyHits(input, (body, from) => {
    const above = text.slice(0, from).split('\n').toReversed();
    const head = above.find((line) =>
      /^\s*(?:@\[.*\]\s*)?(?:(?:private|protected|noncomputable)\s+)*(?:theorem|lemma|def|example|instance|abbrev)\b/u.test(
        line,
      ),
    );
    return judge(body, /^\s*/u.exec(head ?? '')?.[0].length ?? 0);
  });
}

const kinds = new Set(
  'theorem lemma def abbrev inductive structure class instance axiom'.split(' '),
);

function declarations(_: string, bytes: Uint8Array): DeclarationSpan[] {
  const text = textOrThrow(bytes);
  const { tokens } = scanLean(text);
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
  syntactic: null,
  regionKinds: { 'proof-script': regionKind, any: null },
  declarations,
};
