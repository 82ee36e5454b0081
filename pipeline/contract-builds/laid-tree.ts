import type { TreeEntry } from '../../schemas/tree.ts';
import type { Box, BoxFile } from '../../stages/context.ts';
import { manifestRoot } from '../../stages/contract/manifest.ts';
import { Fault } from '../../stages/fault.ts';
import type { ExpectedTree } from './expected-tree.ts';

type Blobs = { get(sha256: string): Uint8Array };

const CHUNK_BYTES = 16 * 1024 * 1024;
const FOLDERS_AT_ONCE = 500;
const MAKE_MS = 60_000;

/** Folders that nothing else makes: empty ones, and those that stand for submodules. */
async function makeFolders(box: Box, paths: readonly string[], signal: AbortSignal): Promise<void> {
  for (let at = 0; at < paths.length; at += FOLDERS_AT_ONCE) {
    const some = paths.slice(at, at + FOLDERS_AT_ONCE).map((path) => `./${path}`);
    const { code } = await box.exec(['mkdir', '-p', ...some], { timeoutMs: MAKE_MS }, signal);
    if (code !== 0)
      throw new Fault('Build failed: empty folders could not be made. Run "pipeline doctor".', {
        code: 'sandbox-failed',
      });
  }
}

/** Lay what is expected into a fresh box, some bytes at a time, so that memory stays flat whatever the tree's size. */
export async function layTree(
  box: Box,
  { laid }: Pick<ExpectedTree, 'laid'>,
  blobs: Blobs,
  signal: AbortSignal,
): Promise<void> {
  let [chunk, size]: [BoxFile[], number] = [[], 0];
  const folders: string[] = [];
  for (const { path, kind, sha256 } of laid.values()) {
    if (kind === 'dir' || kind === 'gitlink') {
      folders.push(path);
      continue;
    }
    const bytes = blobs.get(sha256);
    chunk.push({ path, kind, bytes });
    size += bytes.length;
    if (size < CHUNK_BYTES) continue;
    await box.write(chunk);
    [chunk, size] = [[], 0];
  }
  await box.write(chunk);
  await makeFolders(box, folders, signal);
}

type Found = Awaited<ReturnType<Box['tree']>>[number];

const kinds = new Set(['file', 'exec', 'link', 'dir']);

function isAsLaid({ kind, sha256 }: Found, laid: TreeEntry | undefined): boolean {
  // On disk a submodule is an empty folder.
  if (laid?.kind === 'gitlink') return kind === 'dir';
  return laid?.kind === kind && laid.sha256 === sha256;
}

/** The tree as it would be collected now: untouched places of overlay, mounts and scratch count as the candidate's own. */
function rootOf(found: readonly Found[], { entries, laid }: ExpectedTree): string | null {
  const own = new Map(entries.map((entry) => [entry.path, entry]));
  const isHidden = ({ path }: TreeEntry) => laid.get(path) !== own.get(path);
  const now = found.flatMap((entry): (TreeEntry | null)[] => {
    const before = laid.get(entry.path);
    if (before !== undefined && isAsLaid(entry, before))
      return own.get(entry.path) === before ? [before] : [];
    const { path, kind, size, sha256 } = entry;
    return [kinds.has(kind) ? { path, kind: kind as TreeEntry['kind'], size, sha256 } : null];
  });
  const whole = now.filter((entry) => entry !== null);
  if (whole.length < now.length) return null;
  const taken = new Set(whole.map(({ path }) => path));
  const hidden = entries.filter((entry) => isHidden(entry) && !taken.has(entry.path));
  return manifestRoot([...whole, ...hidden]);
}

/**
 * How a box's work folder differs from what was laid: the first path, or null; `root` is the tree's own name as it is now, null
 * where that is no tree. The same look is taken before and after, so nothing can be swapped between check and build.
 */
export async function lookAt(
  box: Box,
  expected: ExpectedTree,
): Promise<{ readonly stray: string | null; readonly root: string | null }> {
  const { laid, isScratch } = expected;
  const found = (await box.tree()).filter(({ path }) => !isScratch(path));
  const seen = new Set(found.map(({ path }) => path));
  const changed = found.find((entry) => !isAsLaid(entry, laid.get(entry.path)));
  const gone = [...laid.keys()].find((path) => !seen.has(path));
  return { stray: changed?.path ?? gone ?? null, root: rootOf(found, expected) };
}
