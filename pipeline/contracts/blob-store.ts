import type { TreeEntry } from '../../schemas/tree.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { readTree } from '../../stages/contract/conforms.ts';
import { manifestText } from '../../stages/contract/manifest.ts';
import type { TreeOnHand } from '../trees/tree-on-hand.ts';

/** Bytes by SHA-256 for one command: what was put in, and what the trees at hand hold. Nothing goes to disk. */
export type BlobStore = {
  put(bytes: Uint8Array): string;
  get(sha256: string): Uint8Array;
  has(sha256: string): boolean;
  /** Keep a tree at hand and its manifest; returns the manifest's digest. */
  tree(found: TreeOnHand): string;
  /** The entries of a kept tree. */
  entries(tree: string): ReadonlyMap<string, TreeEntry>;
};

export function blobStore(): BlobStore {
  const own = new Map<string, Uint8Array>();
  const trees: TreeOnHand[] = [];
  const put = (bytes: Uint8Array) => {
    const name = sha256(bytes);
    own.set(name, bytes);
    return name;
  };
  const find = (name: string): Uint8Array | undefined => {
    const known = own.get(name);
    if (known !== undefined) return known;
    for (const { read } of trees) {
      const bytes = read(name);
      if (bytes !== undefined) return bytes;
    }
    // The one blob that need not be stored to be known.
    return name === sha256('') ? new Uint8Array() : undefined;
  };
  const get = (name: string): Uint8Array => {
    const bytes = find(name);
    if (bytes === undefined) throw new Error(`no bytes for ${name}`);
    return bytes;
  };
  return {
    put,
    get,
    has: (name) => find(name) !== undefined,
    tree(found) {
      trees.push(found);
      return put(manifestText(found.entries));
    },
    entries: (tree) => readTree(tree, get),
  };
}
