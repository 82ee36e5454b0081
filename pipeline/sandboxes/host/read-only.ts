import { lstat } from 'node:fs/promises';
import { join } from 'node:path/posix';
import type { ExecOptions } from '../../../stages/context.ts';
import { hasRealParents, type Mounted, resolveBoxPath } from './box-path.ts';
import { failedWith } from './world.ts';

/** How the work folder is shown to one command: read-only but for `writable`, and read-only again at `closed` below these. */
export type ReadOnly = { readonly writable: readonly string[]; readonly closed: readonly string[] };
type Mounts = readonly [Mounted, ...Mounted[]];

const isBelow = (above: string, path: string) => path.startsWith(`${above}/`);

/** Whether a place is a real file or folder still; a link would lead its mount out of the box. */
async function isReal(path: string, mounts: Mounts): Promise<boolean> {
  const place = resolveBoxPath(path, mounts);
  if (!(await hasRealParents(place))) return false;
  try {
    const stat = await lstat(join(place.root, ...place.names));
    return stat.isDirectory() || stat.isFile();
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/**
 * The places as they can be mounted now. What an earlier command moved away or replaced needs no mount any more: closed places and
 * those below them are left out, so that no command can break the next one's start. `require` refuses the other writable ones.
 */
export async function shownReadOnly(
  asked: NonNullable<ExecOptions['readOnly']>,
  mounts: Mounts,
  require: (path: string) => Promise<unknown>,
): Promise<ReadOnly> {
  const { writable, closed = [] } = asked;
  const real = async (paths: readonly string[]) => {
    const checks = await Promise.all(paths.map((path) => isReal(path, mounts)));
    return paths.filter((_, at) => checks[at]);
  };
  const isOptional = (path: string) => closed.some((above) => isBelow(above, path));
  const needed = writable.filter((path) => !isOptional(path));
  for (const path of needed) await require(path);
  return {
    writable: [...needed, ...(await real(writable.filter(isOptional)))],
    closed: await real(closed),
  };
}

/** Places in the order in which they are mounted, outer ones first; the root itself is no place of its own. */
export const placesInOrder = ({ writable, closed }: ReadOnly) =>
  [
    ...writable.map((path) => ({ path, isWritable: true })),
    ...closed.map((path) => ({ path, isWritable: false })),
  ]
    .filter(({ path }) => path !== '.')
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

/** Whether the root of the work folder is writable itself, with closed places below it. */
export const isRootWritable = ({ writable }: ReadOnly): boolean => writable.includes('.');
