import { constants } from 'node:fs';
import { chmod, lstat, open, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path/posix';
import type { Box, BoxFile } from '../../../stages/context.ts';
import { Fault } from '../../../stages/fault.ts';
import { hasRealParents, type Mounted, makeRealParents, resolveBoxPath } from './box-path.ts';
import { readTree } from './read-tree.ts';
import { failedWith, onDisk } from './world.ts';

/** How a box's files are reached from the host, where its folders lie. */
export function boxFiles(
  folders: readonly [Mounted, ...Mounted[]],
): Pick<Box, 'read' | 'write' | 'tree'> {
  return {
    read: (path, maxBytes) =>
      onDisk(`reading "${path}"`, () => readBoxFile(path, maxBytes, folders)),
    write: (files) => onDisk('writing into the box', () => writeBoxFiles(files, folders)),
    tree: () => onDisk('listing the box', () => readTree(folders[0].host)),
  };
}

async function readBoxFile(
  path: string,
  maxBytes: number,
  folders: readonly [Mounted, ...Mounted[]],
) {
  const place = resolveBoxPath(path, folders);
  if (place.names.length === 0 || !(await hasRealParents(place))) return null;
  return await readRegular(join(place.root, ...place.names), maxBytes);
}

/** Links are not followed, and a pipe that waits for a writer must not make us wait. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function readRegular(path: string, maxBytes: number): Promise<Uint8Array | null> {
  try {
    const file = await open(path, PLAIN);
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return null;
      const bytes = new Uint8Array(Math.min(stat.size, maxBytes));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO')) return null;
    throw error;
  }
}

const AT_ONCE = 16;

async function writeBoxFiles(files: readonly BoxFile[], folders: readonly [Mounted, ...Mounted[]]) {
  const known = new Set<string>();
  const targets: { file: BoxFile; path: string }[] = [];
  // Folders one after the other, since files share them; then the bytes, many at a time.
  for (const file of files) {
    const place = resolveBoxPath(file.path, folders);
    if (place.names.length === 0) throw notAFile(file.path);
    targets.push({ file, path: await makeRealParents(place, known) });
  }
  for (let at = 0; at < targets.length; at += AT_ONCE) {
    await Promise.all(targets.slice(at, at + AT_ONCE).map(({ file, path }) => lay(file, path)));
  }
}

const notAFile = (path: string) =>
  new Fault(`Writing "${path}" failed: it names a folder. Give the path of a file.`, {
    code: 'sandbox-failed',
  });

async function lay({ kind, bytes }: BoxFile, path: string): Promise<void> {
  if (await isThere(path)) await rm(path, { recursive: true });
  if (kind === 'link') return await symlink(Buffer.from(bytes), path);
  await writeFile(path, bytes, { flag: 'wx' });
  // The mode given at creation is cut by the umask; this one is not.
  await chmod(path, kind === 'exec' ? 0o755 : 0o644);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}
