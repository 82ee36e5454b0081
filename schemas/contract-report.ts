import { z } from 'zod';
import { Digest } from './digest.ts';

/** `code` is one of the closed list of reason codes (stages/contract/reason-codes.ts); `at` is a byte offset in the candidate's file. */
export const Reason = z.strictObject({
  code: z.string(),
  path: z.string().nullable(),
  at: z.number().int().nonnegative().nullable(),
  detail: z.string(),
});
export type Reason = z.infer<typeof Reason>;

export const Level = z.enum(['L0', 'L1', 'L2', 'L3', 'L4', 'L5', 'L6']);
export type Level = z.infer<typeof Level>;

/**
 * How far a verdict reaches: `level` is the highest for which all lower ones hold, null when not even bytes and paths do.
 * `extra` are levels above it that hold too, `vacuous` those that had nothing to look at, `missing` those nobody checked.
 */
export const Assurance = z.strictObject({
  level: Level.nullable(),
  extra: z.array(Level),
  missing: z.array(z.strictObject({ level: Level, why: z.string() })),
  vacuous: z.array(Level),
  reportChannel: z.enum(['stream', 'split', 'file', 'none']).nullable(),
});
export type Assurance = z.infer<typeof Assurance>;

/** Null: not evaluated, since an earlier conjunct failed or nobody could tell. */
export const Conjuncts = z.strictObject({
  tree: z.boolean(),
  projection: z.boolean().nullable(),
  region: z.boolean().nullable(),
  text: z.boolean().nullable(),
  target: z.boolean().nullable(),
  frameLexical: z.boolean().nullable(),
  frameSyntactic: z.boolean().nullable(),
  regionKind: z.boolean().nullable(),
  forbidden: z.boolean().nullable(),
  /** Provers: the target states what it stated in the base. Told by a probe after a build, never by the checker of bytes. */
  statement: z.boolean().nullable(),
});
export type Conjuncts = z.infer<typeof Conjuncts>;

/** What the checker says of one step R -> R'. It never reads build output. All reasons, the primary one first. */
export const ContractReport = z.strictObject({
  contractSha256: Digest,
  /** Every key of the contract but `build`. */
  authoritySha256: Digest,
  base: Digest,
  candidate: Digest,
  conforms: z.boolean(),
  /** The verdict under the three published conjuncts alone: projection, target, forbidden; null without a tree. */
  conformsEq2: z.boolean().nullable(),
  conjuncts: Conjuncts,
  reasons: z.array(Reason),
  /** Old forbidden constructs in protected text, overrides, lifted rules: shown, never punished. */
  warnings: z.array(Reason),
  assurance: Assurance,
});
export type ContractReport = z.infer<typeof ContractReport>;
