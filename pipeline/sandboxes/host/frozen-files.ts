import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoxFile } from '../../../stages/context.ts';
import { failedWith, onDisk } from './world.ts';

/** Lists of exact versions that install steps leave in the kept folder, each with the file of a tree that would say the same. */
const LISTS = [
  ['package-lock.json', 'package-lock.json'],
  ['Cargo.lock', 'Cargo.lock'],
  ['go/go.sum', 'go.sum'],
  ['python/pins.txt', null],
] as const;

async function bytesOf(path: string): Promise<Uint8Array | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/** Those that say more than the tree does, in a fixed order. */
export async function frozenFiles(
  deps: string,
  tree: readonly BoxFile[],
): Promise<{ path: string; bytes: Uint8Array }[]> {
  const found: { path: string; bytes: Uint8Array }[] = [];
  for (const [path, own] of LISTS) {
    const bytes = await onDisk('kept dependencies', () => bytesOf(join(deps, path)));
    const said = own === null ? undefined : tree.find((file) => file.path === own)?.bytes;
    const isSaid = said !== undefined && bytes !== null && Buffer.compare(said, bytes) === 0;
    if (bytes !== null && !isSaid) found.push({ path, bytes });
  }
  return found;
}
