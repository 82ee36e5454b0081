import { z } from 'zod';

/** Exact text edits of the base: `find` occurs exactly once in the base file. */
export const EditsProposal = z.strictObject({
  edits: z.array(z.strictObject({ file: z.string(), find: z.string(), replace: z.string() })),
  create: z.array(z.strictObject({ file: z.string(), text: z.string() })),
  delete: z.array(z.string()),
});
export type EditsProposal = z.infer<typeof EditsProposal>;

/** Replacement text for regions of the contract; nothing else can be expressed. */
export const BodyProposal = z.strictObject({
  bodies: z.array(z.strictObject({ region: z.string(), text: z.string() })).min(1),
});
export type BodyProposal = z.infer<typeof BodyProposal>;
