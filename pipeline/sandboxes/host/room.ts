import { statfs } from 'node:fs/promises';
import { Fault } from '../../../stages/fault.ts';
import { failedWith } from './world.ts';

const MIB = 1024 ** 2;

/** Free bytes where a folder lies, or null where this user cannot look, as with a daemon's own folder. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'EACCES', 'EPERM')) return null;
    throw error;
  }
}

/** Throws the Fault `disk-full` before anything starts that would fill the disk half way. */
export async function requireRoom(
  what: string,
  folder: string,
  neededBytes: number,
): Promise<void> {
  const free = await freeBytes(folder);
  if (free === null || free >= neededBytes) return;
  const [has, needs] = [Math.floor(free / MIB), Math.ceil(neededBytes / MIB)];
  const message = `${what} failed to start: ${has} MB free in ${folder}, ${needs} MB needed. Free some first.`;
  throw new Fault(message, { code: 'disk-full' });
}
