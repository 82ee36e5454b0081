import { bodyHits, declaredSpans, textOrThrow } from '../frames/outer-syntax.ts';
import { spanHits } from '../frames/spans.ts';
import { type Sentence, scanRocq } from '../scanners/rocq.ts';
import { frameTokens } from '../scanners/spans.ts';
import type { DeclarationSpan, FrameInput, Profile } from './profile.ts';

/** Tactics begin in lower case; brackets, selectors and bullets lead to tactics; everything else is vernacular. */
const isTactic = ({ first }: Sentence) => /^(?:[\p{Ll}_([{}]|[-+*]+$)/u.test(first);

function judge(body: string) {
  const { sentences } = scanRocq(body);
  const bad = sentences.find((sentence) => !isTactic(sentence));
  return bad === undefined ? null : { at: bad.at, detail: `"${bad.first}" is no tactic` };
}

const kinds = new Set(
  `Theorem Lemma Fact Remark Corollary Proposition Property Example Definition Fixpoint CoFixpoint Function
  Instance Inductive CoInductive Variant Record Structure Class Let Axiom Parameter`.split(/\s+/u),
);

/** Named sentences, a kind in lower case, from the sentence to the one that closes its proof. */
function declarations(_: string, bytes: Uint8Array): DeclarationSpan[] {
  const text = textOrThrow(bytes);
  const starts = scanRocq(text).sentences.flatMap(({ rest, at }) => {
    const [kind = '', name = ''] = rest;
    return kinds.has(kind) && /^[\p{L}_]/u.test(name)
      ? [{ kind: kind.toLowerCase(), name, at }]
      : [];
  });
  return declaredSpans(text, starts);
}

/** Rocq (Coq). `.v` belongs to other languages too, so a contract names the profile. */
export const rocq: Profile = {
  name: 'rocq',
  extensions: [],
  tokens: (_, bytes) => frameTokens(bytes, scanRocq),
  syntactic: (input: FrameInput) => spanHits(input, (text) => scanRocq(text).sentences, false),
  regionKinds: { 'proof-script': (input) => bodyHits(input, judge), any: null },
  declarations,
};
