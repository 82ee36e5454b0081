import { z } from 'zod';

/** Tokens of one call. null is "the server did not say", which is not 0. */
export const Usage = z.strictObject({
  input: z.number().int().nonnegative().nullable(),
  cachedInput: z.number().int().nonnegative().nullable(),
  output: z.number().int().nonnegative().nullable(),
  reasoning: z.number().int().nonnegative().nullable(),
});
export type Usage = z.infer<typeof Usage>;
