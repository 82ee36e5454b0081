import { z } from 'zod';
import { Digest } from './digest.ts';
import { Verdict } from './verdict.ts';

/** One try to mend a task: what was changed, under which rules it was judged, and how it ended. */
export const Repair = z.strictObject({
  id: z.string(),
  round: z.number().int().positive(),
  fromRevision: z.number().int().nonnegative(),
  verdicts: z.array(z.string()),
  action: z.enum(['edit-test', 'edit-statement']),
  request: Digest.nullable(),
  proposal: Digest.nullable(),
  edits: z.array(z.strictObject({ path: z.string(), before: Digest, after: Digest })),
  acceptance: z.array(
    z.strictObject({
      rule: z.string(),
      result: z.enum(['pass', 'fail', 'absent']),
      detail: z.string(),
    }),
  ),
  disposition: z.enum(['accepted', 'refused']),
});
export type Repair = z.infer<typeof Repair>;

/**
 * The memory across revisions. Repair may add to it, never take away:
 * a candidate once proved wrong must fail for ever, one once proved right must pass.
 */
export const Kept = z.strictObject({
  wrong: z.array(z.strictObject({ id: z.string(), tree: Digest })),
  right: z.array(z.strictObject({ id: z.string(), tree: Digest })),
  answered: z.array(Verdict),
  repairs: z.array(Repair),
  lineage: z.array(
    z.strictObject({
      revision: z.number().int().nonnegative(),
      parent: Digest.nullable(),
      content: Digest,
      cause: z.string(),
      edited: z.array(z.string()),
      verdicts: z.array(z.string()),
    }),
  ),
});
export type Kept = z.infer<typeof Kept>;
