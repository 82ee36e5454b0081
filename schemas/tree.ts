import { z } from 'zod';
import { Digest } from './digest.ts';

/**
 * One entry of a tree. `sha256` is over the file's bytes, the link's target, or the ASCII commit id of a gitlink.
 * A tree travels as the digest of its manifest text (stages/contract/manifest.ts), which is also the blob's name.
 */
export const TreeEntry = z.strictObject({
  path: z.string().min(1),
  kind: z.enum(['file', 'exec', 'link', 'gitlink', 'dir']),
  size: z.number().int().nonnegative(),
  sha256: Digest,
});
export type TreeEntry = z.infer<typeof TreeEntry>;
