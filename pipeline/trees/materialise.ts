import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { TreeEntry } from '../../schemas/tree.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { manifestRoot } from '../../stages/contract/manifest.ts';
import { ancestorsOf, hardPathProblem } from '../../stages/contract/paths.ts';
import { Fault } from '../../stages/fault.ts';
import { readDirectory } from './read-directory.ts';

/** Every file of a tree that we wrote carries one time, so that no build can tell trees apart by it. */
const EPOCH = new Date('2000-01-01T00:00:00Z');

function assertWritable(path: string): void {
  if (hardPathProblem(path) === null) return;
  throw new Fault(`tree failed: "${path}" is a path that no tree may hold. Check the tree first.`, {
    code: 'source-unreadable',
  });
}

function writeFile(path: string, kind: 'file' | 'exec', bytes: Uint8Array): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = openSync(path, flags, 0o600);
  try {
    writeFileSync(file, bytes);
    fchmodSync(file, kind === 'exec' ? 0o755 : 0o644);
    futimesSync(file, EPOCH, EPOCH);
  } finally {
    closeSync(file);
  }
}

/** A folder of ours: made here, or a real folder that was made before; never a link. */
function ensureFolder(path: string, made: Set<string>): void {
  if (made.has(path)) return;
  made.add(path);
  try {
    mkdirSync(path);
    // The mask of the process has no say in what a build can read.
    chmodSync(path, 0o755);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (lstatSync(path).isDirectory()) return;
  throw new Fault(`tree failed: "${path}" is no folder. Start with an empty one.`, {
    code: 'out-not-writable',
  });
}

function writeEntry(
  root: string,
  { path, kind, sha256: name }: TreeEntry,
  read: (sha256: string) => Uint8Array,
  made: Set<string>,
): void {
  assertWritable(path);
  for (const folder of ancestorsOf(path)) ensureFolder(join(root, folder), made);
  const target = join(root, path);
  if (kind === 'dir' || kind === 'gitlink') {
    ensureFolder(target, made);
    return;
  }
  const bytes = read(name);
  if (sha256(bytes) !== name)
    throw new Fault(`tree failed: the bytes of "${path}" are not the recorded ones.`, {
      code: 'blob-damaged',
    });
  if (kind === 'link') {
    symlinkSync(Buffer.from(bytes), target);
    lutimesSync(target, EPOCH, EPOCH);
  } else writeFile(target, kind, bytes);
}

/**
 * A fresh copy of a tree: byte copies, modes 644 and 755, one time for all, gitlinks as empty folders. The folder must be new
 * or empty. Existing names are never overwritten nor followed.
 */
export async function materialise(
  entries: readonly TreeEntry[],
  read: (sha256: string) => Uint8Array,
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const made = new Set<string>();
  for (const entry of entries) writeEntry(folder, entry, read, made);
  for (const path of [...made, folder]) utimesSync(path, EPOCH, EPOCH);
}

/** Whether what lies in a folder has a root; `gitlinks` and empty folders are read back by the entries that were written. */
export async function rootOf(
  folder: string,
  written: readonly TreeEntry[],
): Promise<string | null> {
  const found = await readDirectory(folder, { base: written });
  return 'problems' in found ? null : manifestRoot(found.entries);
}
