import type { PinnedBuild } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import type { Box, BoxFile } from '../../stages/context.ts';

type Blobs = { get(sha256: string): Uint8Array };

const CHUNK_BYTES = 16 * 1024 * 1024;
const plain = (digest: string) => digest.replace(/^sha256:/u, '');
const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** What must lie in the work folder: the tree, with the overlay's files in place of its own. */
function filesOf(
  entries: readonly TreeEntry[],
  { overlay }: Pick<PinnedBuild, 'overlay'>,
): Map<string, Omit<TreeEntry, 'size'>> {
  const files = new Map<string, Omit<TreeEntry, 'size'>>();
  for (const { path, kind, sha256 } of entries)
    if (kind !== 'dir' && kind !== 'gitlink') files.set(path, { path, kind, sha256 });
  for (const { path, sha256 } of overlay)
    files.set(path, { path, kind: 'file', sha256: plain(sha256) });
  return files;
}

/** Lay a tree and its overlay into a fresh box, and make the folders that commands may write to. */
export async function layTree(
  box: Box,
  entries: readonly TreeEntry[],
  build: Pick<PinnedBuild, 'overlay'>,
  blobs: Blobs,
): Promise<void> {
  let [chunk, size]: [BoxFile[], number] = [[], 0];
  for (const { path, kind, sha256 } of filesOf(entries, build).values()) {
    if (kind === 'dir' || kind === 'gitlink') continue;
    const bytes = blobs.get(sha256);
    chunk.push({ path, kind, bytes });
    size += bytes.length;
    if (size < CHUNK_BYTES) continue;
    await box.write(chunk);
    [chunk, size] = [[], 0];
  }
  await box.write(chunk);
}

/**
 * The first path of a box that is not what was laid, or null. Folders count only where they hold something; `writable` folders
 * belong to the build. The same look is taken before and after, so nothing can be swapped between check and build.
 */
export async function strayPath(
  box: Box,
  entries: readonly TreeEntry[],
  build: PinnedBuild,
): Promise<string | null> {
  const expected = filesOf(entries, build);
  const isScratch = (path: string) => build.writable.some((one) => isBelow(path, one.path));
  const found = (await box.tree()).filter(({ path, kind }) => kind !== 'dir' && !isScratch(path));
  const seen = new Set(found.map(({ path }) => path));
  const changed = found.find(({ path, kind, sha256 }) => {
    const laid = expected.get(path);
    return laid?.kind !== kind || laid.sha256 !== sha256;
  });
  const gone = [...expected.keys()].find((path) => !seen.has(path) && !isScratch(path));
  return changed?.path ?? gone ?? null;
}

export const treeReason = (code: 'tree-mismatch' | 'tree-changed', path: string): Reason => ({
  code: `build.${code}`,
  path,
  at: null,
  detail:
    code === 'tree-changed'
      ? 'the build changed this path'
      : 'the box holds other bytes than the tree',
});
