import type { TreeEntry } from '../../schemas/tree.ts';
import type { BoxFile, Ledger } from '../context.ts';
import { manifestText, parseManifest } from '../contract/manifest.ts';

/** The entries of a tree by its manifest digest, sorted by raw path bytes. */
export const readTree = (ledger: Ledger, tree: string): readonly TreeEntry[] =>
  parseManifest(ledger.get(tree));

/** Keep a tree; the digest of its manifest is its name. */
export const writeTree = (ledger: Ledger, entries: readonly TreeEntry[]): string =>
  ledger.put(manifestText([...entries]));

/** One file's entry, its bytes kept in the ledger. */
export const keepFile = (
  ledger: Ledger,
  path: string,
  bytes: Uint8Array,
  kind: TreeEntry['kind'] = 'file',
): TreeEntry => ({ path, kind, size: bytes.length, sha256: ledger.put(bytes) });

/** The bytes of a path in a tree, or null where it is absent or no file. */
export function readPath(ledger: Ledger, tree: string, path: string): Uint8Array | null {
  const entry = readTree(ledger, tree).find((candidate) => candidate.path === path);
  return entry === undefined || !isFile(entry) ? null : ledger.get(entry.sha256);
}

/** A tree with some entries replaced and some paths gone; a replaced file keeps nothing of the old entry. */
export function changeTree(
  ledger: Ledger,
  tree: string,
  changed: readonly TreeEntry[],
  removed: readonly string[] = [],
): string {
  const gone = new Set([...removed, ...changed.map(({ path }) => path)]);
  const stays = readTree(ledger, tree).filter(({ path }) => !gone.has(path));
  return writeTree(ledger, [...stays, ...changed]);
}

/** Paths whose entries differ between two trees, sorted. */
export function changedPaths(ledger: Ledger, before: string, after: string): readonly string[] {
  const left = entriesByPath(readTree(ledger, before));
  const right = entriesByPath(readTree(ledger, after));
  const differs = (path: string) => {
    const [a, b] = [left.get(path), right.get(path)];
    return a?.sha256 !== b?.sha256 || a?.kind !== b?.kind;
  };
  return [...new Set([...left.keys(), ...right.keys()])].filter(differs).toSorted();
}

export const entriesByPath = (entries: readonly TreeEntry[]): Map<string, TreeEntry> =>
  new Map(entries.map((entry) => [entry.path, entry]));

export const isFile = ({ kind }: TreeEntry): boolean => kind === 'file' || kind === 'exec';

/** A tree as files for a box; submodules and empty folders hold no bytes and are left out. */
export function boxFiles(ledger: Ledger, tree: string): readonly BoxFile[] {
  return readTree(ledger, tree).flatMap(({ path, kind, sha256 }) =>
    kind === 'file' || kind === 'exec' || kind === 'link'
      ? [{ path, kind, bytes: ledger.get(sha256) }]
      : [],
  );
}
