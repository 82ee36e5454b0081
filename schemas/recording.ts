import { z } from 'zod';
import { Completion, ModelRequest } from './completion.ts';
import { Digest } from './digest.ts';

/** `recordings/<request digest>.json`: one question and its unedited answer, with who gave it. */
export const Recording = z.strictObject({
  recording: z.literal(1),
  requestSha256: Digest,
  request: ModelRequest,
  completion: Completion,
  provenance: z.strictObject({
    /** `mailbox` or the provider's name; `authored` for an answer written by hand, from which no figure is drawn. */
    through: z.string(),
    answeredBy: z.string(),
    answeredAt: z.string(),
  }),
});
export type Recording = z.infer<typeof Recording>;
