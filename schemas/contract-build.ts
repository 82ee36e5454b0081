import { z } from 'zod';
import { Reason } from './contract-report.ts';
import { Digest } from './digest.ts';

const Ran = z.strictObject({
  argv: z.array(z.string()),
  exit: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  durationMs: z.number().nonnegative(),
});

/**
 * Build(R') under one B_C: a predicate of the tree alone. `reasons` are build.* and audit.* codes, empty exactly when true.
 * A fault of the world is thrown and never stored here. `not-run` is for candidates that contract-first turned away.
 */
export const ContractBuild = z.strictObject({
  status: z.enum(['true', 'false', 'not-run']),
  reasons: z.array(Reason),
  sandbox: z.enum(['process', 'bwrap', 'docker']).nullable(),
  image: z.string().nullable(),
  tool: z.string().nullable(),
  commands: z.array(Ran),
  preManifest: Digest.nullable(),
  postManifest: Digest.nullable(),
  /** Test ids with their literal status, sorted by id; empty for provers. */
  results: z.array(z.strictObject({ id: z.string(), status: z.string() })),
  streamBlob: Digest.nullable(),
  logRawBlob: Digest.nullable(),
  logNormalisedBlob: Digest.nullable(),
  /** Version of the rules that made the normalised log of the raw one. */
  normaliser: z.number().int().positive(),
  reportChannel: z.enum(['stream', 'split', 'file', 'none']).nullable(),
  /** Provers: what the soundness audit found; null where none is asked for or nothing was built. */
  audit: z
    .strictObject({
      axioms: z.array(z.string()),
      recheck: z.enum(['passed', 'failed']).nullable(),
    })
    .nullable(),
});
export type ContractBuild = z.infer<typeof ContractBuild>;

/** The statement probe: whether the target states in R' what it stated in R; null when R' does not elaborate. */
export const StatementVerdict = z.strictObject({
  same: z.boolean().nullable(),
  base: z.string(),
  candidate: z.string().nullable(),
});
export type StatementVerdict = z.infer<typeof StatementVerdict>;
