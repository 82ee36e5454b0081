import { z } from 'zod';
import { Digest } from './digest.ts';

/** `code` is one of the closed list of reason codes (stages/contract/reason-codes.ts). */
export const Reason = z.strictObject({
  code: z.string(),
  path: z.string().nullable(),
  at: z.number().int().nonnegative().nullable(),
  detail: z.string(),
});
export type Reason = z.infer<typeof Reason>;

/** What the checker says of one step R -> R'. It never reads build output. All reasons, the primary one first. */
export const ContractReport = z.strictObject({
  contractSha256: Digest,
  base: Digest,
  candidate: Digest,
  conforms: z.boolean(),
  conjuncts: z.strictObject({
    tree: z.boolean(),
    projection: z.boolean().nullable(),
    region: z.boolean().nullable(),
    text: z.boolean().nullable(),
    forbidden: z.boolean().nullable(),
  }),
  reasons: z.array(Reason),
  assurance: z.string(),
});
export type ContractReport = z.infer<typeof ContractReport>;
