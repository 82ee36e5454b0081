import { z } from 'zod';

/** A repository and its talk. `licence` is an SPDX identifier, or null where none was found. */
export const Source = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  kind: z.enum(['git', 'archive', 'pack', 'github']),
  /** Where it was read from, as the user wrote it; for a pack its folder name. */
  origin: z.string(),
  url: z.string().nullable(),
  head: z.string(),
  licence: z.string().nullable(),
  licenceFiles: z.array(z.string()),
});
export type Source = z.infer<typeof Source>;
