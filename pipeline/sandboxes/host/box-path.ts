import { lstat, mkdir, rm } from 'node:fs/promises';
import { isAbsolute, join, normalize, relative } from 'node:path/posix';
import { Fault } from '../../../stages/fault.ts';
import { failedWith } from './world.ts';

/** A folder as commands in the box see it, and where it lies on the host. */
export type Mounted = { readonly inside: string; readonly host: string };
/** A path taken apart: the host folder it starts at, and the names below it. */
export type HostPath = { readonly root: string; readonly names: readonly string[] };

const refuse = (path: string, why: string): never => {
  const message = `Path "${path}" refused: ${why}. Give one below the work folder or the private folder.`;
  throw new Fault(message, { code: 'sandbox-failed' });
};

/** Find the host's place of a box path: relative ones start at the first folder; whatever leaves all is refused. */
export function resolveBoxPath(path: string, folders: readonly [Mounted, ...Mounted[]]): HostPath {
  if (path.includes('\0')) refuse(path, 'it holds a NUL');
  const inside = isAbsolute(path) ? normalize(path) : join(folders[0].inside, path);
  for (const folder of folders) {
    const below = relative(folder.inside, inside);
    if (below.startsWith('..')) continue;
    return { root: folder.host, names: below === '' ? [] : below.split('/') };
  }
  return refuse(path, 'it leaves the box');
}

/** Whether each folder on the way is a real one; false at the first that is missing, a link or something else. */
export async function hasRealParents({ root, names }: HostPath): Promise<boolean> {
  let at = root;
  for (const name of names.slice(0, -1)) {
    at = join(at, name);
    if ((await kindAt(at)) !== 'dir') return false;
  }
  return true;
}

async function kindAt(path: string): Promise<'dir' | 'other' | 'absent'> {
  try {
    return (await lstat(path)).isDirectory() ? 'dir' : 'other';
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return 'absent';
    throw error;
  }
}

/**
 * Make the folders on the way to a file and return its host path. A link or file that stands where a folder
 * must be is replaced, never followed: a command in the box may have laid it there to lead us out.
 */
export async function makeRealParents(
  { root, names }: HostPath,
  known: Set<string>,
): Promise<string> {
  let at = root;
  for (const name of names.slice(0, -1)) {
    at = join(at, name);
    if (known.has(at)) continue;
    const kind = await kindAt(at);
    if (kind === 'other') await rm(at);
    if (kind !== 'dir') await mkdir(at);
    known.add(at);
  }
  return join(at, names.at(-1) ?? '');
}
