import { z } from 'zod';

/** US dollars per million tokens. A cached token without its own price costs what any input token costs. */
export const Price = z.strictObject({
  input: z.number().nonnegative().describe('US dollars per million input tokens.'),
  cached_input: z
    .number()
    .nonnegative()
    .optional()
    .describe('US dollars per million input tokens that the provider had cached.'),
  output: z.number().nonnegative().describe('US dollars per million output tokens.'),
});
export type Price = z.infer<typeof Price>;
