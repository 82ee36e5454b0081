import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';

/** A tree that was read: its entries, their bytes by SHA-256, and the paths that `discard` dropped. */
export type TreeOnHand = {
  readonly entries: readonly TreeEntry[];
  /** Bytes of a blob of this tree; undefined for a name that the tree does not have. */
  readonly read: (sha256: string) => Uint8Array | undefined;
  readonly discarded: readonly string[];
};

/** Why there is no tree: every problem that was met, in the order of the closed list. */
export type NoTree = { readonly problems: readonly Reason[] };

export const problem = (code: string, path: string, detail: string): Reason => ({
  code,
  path,
  at: null,
  detail,
});
