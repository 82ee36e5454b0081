import { z } from 'zod';
import { ContractReport } from './contract-report.ts';
import { Digest } from './digest.ts';

/** What the tests said of a candidate, per group; absent while nothing was built. */
export const Build = z.strictObject({
  status: z.enum(['true', 'false', 'not-run']),
  reason: z.string().nullable(),
  /** Keys of the sandbox runs this rests on. */
  runs: z.array(Digest),
  groups: z.array(
    z.strictObject({ group: z.string(), passed: z.number().int(), total: z.number().int() }),
  ),
});
export type Build = z.infer<typeof Build>;

/** One proposal: the tree it makes (null if none could be made) and the two facts about it. */
export const Attempt = z.strictObject({
  attempt: z.number().int().positive(),
  request: Digest.nullable(),
  proposal: Digest.nullable(),
  proposalReason: z.string().nullable(),
  candidate: Digest.nullable(),
  report: ContractReport.nullable(),
  build: Build,
});
export type Attempt = z.infer<typeof Attempt>;
