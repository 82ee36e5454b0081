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

/** How a tree is read, from a folder or from git. */
export type ReadOptions = {
  /** Folders that belong to neither tree; one that is there is a problem in a candidate and dropped in a base. */
  readonly excludeDirs?: readonly string[];
  readonly isCandidate?: boolean;
  /** Globs of paths that are dropped and listed. */
  readonly discard?: readonly string[];
  /** The entries of the base: a folder at the path of one of its gitlinks reads back as that gitlink. */
  readonly base?: readonly TreeEntry[];
  /** Bytes of all files together; refused before anything of the file too many is read. */
  readonly maxBytes?: number;
  /** Bytes of the files that have another size than in `base`, or are not in it; refused unread in the same way. */
  readonly maxChangedBytes?: number;
};

export const problem = (code: string, path: string, detail: string): Reason => ({
  code,
  path,
  at: null,
  detail,
});
