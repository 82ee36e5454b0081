import { byPathBytes } from '../contract/manifest.ts';
import { utf8 } from './text.ts';

/** An entry of an archive. For a link `bytes` is its target; a directory has none. */
export type TarEntry = {
  readonly path: string;
  readonly kind: 'file' | 'exec' | 'link' | 'dir';
  readonly bytes: Uint8Array;
};

const BLOCK = 512;
const types = { file: '0', exec: '0', link: '2', dir: '5' } as const;
const modes = { file: '0000644', exec: '0000755', link: '0000777', dir: '0000755' } as const;

/** Split a path into ustar's prefix (155 bytes) and name (100 bytes), or null where it does not fit. */
function ustarName(path: string): { prefix: Uint8Array; name: Uint8Array } | null {
  const whole = utf8(path);
  if (whole.length <= 100) return { prefix: new Uint8Array(), name: whole };
  for (let at = Math.min(155, whole.length - 2); at > 0; at--) {
    if (whole[at] !== 0x2f || whole.length - at - 1 > 100) continue;
    return { prefix: whole.subarray(0, at), name: whole.subarray(at + 1) };
  }
  return null;
}

/** Whether the plain ustar form can carry this entry; what it cannot is refused, never truncated. */
export function fitsUstar({ path, kind, bytes }: TarEntry): boolean {
  const named = ustarName(kind === 'dir' ? `${path}/` : path) !== null;
  return named && (kind !== 'link' || bytes.length <= 100) && bytes.length < 8 ** 11;
}

function header(entry: TarEntry): Uint8Array {
  const place = ustarName(entry.kind === 'dir' ? `${entry.path}/` : entry.path);
  if (!place || !fitsUstar(entry)) throw new Error(`tar failed: "${entry.path}" does not fit`);
  const block = new Uint8Array(BLOCK);
  const size = entry.kind === 'file' || entry.kind === 'exec' ? entry.bytes.length : 0;
  block.set(place.name, 0);
  block.set(utf8(`${modes[entry.kind]}\0${'0000000\0'.repeat(2)}`), 100);
  block.set(utf8(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`), 124);
  block.set(utf8(`        ${types[entry.kind]}`), 148);
  if (entry.kind === 'link') block.set(entry.bytes, 157);
  block.set(utf8('ustar\x0000'), 257);
  block.set(utf8('0000000\x000000000\0'), 329);
  block.set(place.prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(utf8(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return block;
}

/** Every folder above the entries, and the entries themselves, by path bytes: an archive of a tree lists its folders. */
function withFolders(entries: readonly TarEntry[]): TarEntry[] {
  const all = new Map<string, TarEntry>();
  for (const entry of entries) {
    const names = entry.path.split('/').slice(0, -1);
    names.forEach((_, at) => {
      const path = names.slice(0, at + 1).join('/');
      if (!all.has(path)) all.set(path, { path, kind: 'dir', bytes: new Uint8Array() });
    });
    all.set(entry.path, entry);
  }
  return [...all.values()].toSorted((left, right) => byPathBytes(left.path, right.path));
}

/**
 * A ustar archive, byte for byte the same for the same entries: sorted, owner 0, times 0, modes by kind.
 * Throws on an entry that `fitsUstar` refuses.
 */
export function tar(entries: readonly TarEntry[]): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (const entry of withFolders(entries)) {
    blocks.push(header(entry));
    if (entry.kind !== 'file' && entry.kind !== 'exec') continue;
    blocks.push(entry.bytes, new Uint8Array((BLOCK - (entry.bytes.length % BLOCK)) % BLOCK));
  }
  const length = blocks.reduce((total, { length: size }) => total + size, 0);
  // Readers expect two empty blocks and whole records of 20 blocks.
  const record = BLOCK * 20;
  const archive = new Uint8Array(Math.ceil((length + 2 * BLOCK) / record) * record);
  let at = 0;
  for (const block of blocks) {
    archive.set(block, at);
    at += block.length;
  }
  return archive;
}
