import { z } from 'zod';
import { Digest } from './digest.ts';

/** One row of the review matrix: a candidate, what is claimed of it, and why. */
export const Candidate = z.strictObject({
  id: z.string(),
  /** P solver, M rule mutant, A variant, L ablation, N naive merge or solo, E spec-silent transform. */
  set: z.enum(['P', 'M', 'A', 'L', 'N', 'E']),
  family: z.string(),
  tree: Digest,
  claim: z.enum(['valid', 'wrong', 'unknown']),
  basis: z.enum(['construction', 'probe', 'none']),
  run: Digest,
  failing: z.array(z.string()),
  passesTests: z.boolean(),
  failingProbes: z.array(z.string()),
});
export type Candidate = z.infer<typeof Candidate>;

/** What must be seen again when the witness is executed: this test or probe on this tree, with this result. */
export const Witness = z.strictObject({
  id: z.string(),
  type: z.enum(['candidate', 'probe', 'ablation']),
  candidate: z.string(),
  tree: Digest,
  expected: z.array(
    z.strictObject({
      test: z.string(),
      tree: Digest,
      run: Digest,
      result: z.enum(['passed', 'not-passed']),
    }),
  ),
  replayCommand: z.string(),
});
export type Witness = z.infer<typeof Witness>;

const Target = z.strictObject({
  test: z.string().nullable(),
  clause: z.string().nullable(),
  coupling: z.string().nullable(),
});

const shared = {
  id: z.string(),
  task: z.string(),
  revision: z.number().int().nonnegative(),
  mode: z.enum(['keyless', 'assisted']),
  target: Target,
  side: z.enum(['FP', 'FN', 'SPEC']),
  kind: z.string(),
  reasonCode: z.string(),
  detail: z.string(),
  citations: z.array(z.strictObject({ doc: z.string(), quote: z.string(), verified: z.boolean() })),
};

/** A judgement on one target. Without a witness the worst it can say is `suspect`; the type says so. */
export const Verdict = z.discriminatedUnion('verdict', [
  z.strictObject({
    ...shared,
    verdict: z.enum(['false-positive', 'false-negative']),
    witness: Witness,
  }),
  z.strictObject({ ...shared, verdict: z.literal('suspect'), suspectReason: z.string() }),
  z.strictObject({ ...shared, verdict: z.literal('aligned') }),
]);
export type Verdict = z.infer<typeof Verdict>;
