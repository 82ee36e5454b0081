import { bodyHits, crossingPieces, declaredSpans, textOrThrow } from '../frames/outer-syntax.ts';
import { type Sentence, scanRocq } from '../scanners/rocq.ts';
import { frameTokens } from '../scanners/spans.ts';
import type { DeclarationSpan, FrameInput, Profile } from './profile.ts';

/** Tactics begin in lower case; brackets, selectors and bullets lead to tactics; everything else is vernacular. */
const isTactic = ({ first, words }: Sentence) =>
  !words.includes('#') && /^(?:[\p{Ll}_([{}!]|[-+*]+$|\d)/u.test(first);

function judge(body: string) {
  const { sentences } = scanRocq(body);
  const bad = sentences.find((sentence) => !isTactic(sentence));
  return bad === undefined ? null : { at: bad.at, detail: `"${bad.first}" is no tactic` };
}

const prefixes = new Set(['Local', 'Global', 'Program', 'Polymorphic', '#', '[', ']']);
const kinds = new Set(
  `Theorem Lemma Fact Remark Corollary Proposition Property Example Definition Fixpoint CoFixpoint Function
  Instance Inductive CoInductive Record Let`.split(/\s+/u),
);

/** Named sentences, a kind in lower case, from the sentence to the one that closes its proof. */
function declarations(_: string, bytes: Uint8Array): DeclarationSpan[] {
  const text = textOrThrow(bytes);
  const { sentences } = scanRocq(text);
  const starts = sentences.flatMap(({ words, at: place }) => {
    const at = words.findIndex((word) => !prefixes.has(word));
    const [kind = '', name] = words.slice(Math.max(0, at));
    return kinds.has(kind) && name !== undefined
      ? [{ kind: kind.toLowerCase(), name, at: place }]
      : [];
  });
  return declaredSpans(text, starts);
}

/** Rocq (Coq). `.v` belongs to other languages too, so a contract names the profile. */
export const rocq: Profile = {
  name: 'rocq',
  extensions: [],
  tokens: (_, bytes) => frameTokens(bytes, scanRocq),
  syntactic: (input: FrameInput) => crossingPieces(input, (text) => scanRocq(text).sentences),
  regionKinds: { 'proof-script': (input) => bodyHits(input, judge), any: null },
  declarations,
};
