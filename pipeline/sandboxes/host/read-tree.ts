import { createHash } from 'node:crypto';
import { createReadStream, type Dirent, type Stats } from 'node:fs';
import { chmod, lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { sha256 } from '../../../stages/contract/canonical-json.ts';

/** One line of a tree: `file`, `exec`, `link`, `dir` (only where empty) or `other`. */
type Entry = {
  readonly path: string;
  readonly kind: string;
  readonly sha256: string;
  readonly size: number;
};
type Found = { readonly name: Buffer; readonly entry: Dirent<Buffer> };

const SMALL = 1024 * 1024;
const NOTHING = sha256(new Uint8Array());
const SLASH = Buffer.from('/');
const below = (folder: Buffer, name: Buffer) =>
  folder.length === 0 ? name : Buffer.concat([folder, SLASH, name]);

async function list(folder: Buffer): Promise<Dirent<Buffer>[]> {
  const { mode } = await lstat(folder);
  if ((mode & 0o500) !== 0o500) await chmod(folder, mode | 0o500);
  return await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
}

async function* walk(root: Buffer, folder: Buffer): AsyncGenerator<Found> {
  const at = folder.length === 0 ? root : below(root, folder);
  for (const entry of await list(at)) {
    const name = below(folder, entry.name);
    if (!entry.isDirectory()) yield { name, entry };
    else if ((await list(below(root, name))).length === 0) yield { name, entry };
    else yield* walk(root, name);
  }
}

async function hashFile(path: Buffer, { mode, size }: Stats): Promise<string> {
  // A command may have taken our right to read its file; the tree is still told in full.
  if ((mode & 0o400) === 0) await chmod(path, mode | 0o400);
  if (size <= SMALL) return sha256(await readFile(path));
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** A name that is not UTF-8 has no honest text; its bytes are spelled out and the entry is `other`. */
function textOf(name: Buffer): { readonly text: string; readonly isExact: boolean } {
  const text = name.toString('utf8');
  if (Buffer.from(text).equals(name)) return { text, isExact: true };
  const spelled = name.toString('latin1').replaceAll(/[^\x20-\x7e]/g, (char) => {
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return { text: spelled, isExact: false };
}

async function describe(root: Buffer, { name, entry }: Found): Promise<Entry> {
  const host = below(root, name);
  const { text, isExact } = textOf(name);
  if (entry.isSymbolicLink() && isExact) {
    const target = await readlink(host, 'buffer');
    return { path: text, kind: 'link', sha256: sha256(target), size: target.length };
  }
  const empty = { path: text, sha256: NOTHING, size: 0 };
  if (entry.isDirectory() && isExact) return { ...empty, kind: 'dir' };
  if (!entry.isFile() || !isExact) return { ...empty, kind: 'other' };
  const stats = await lstat(host);
  const kind = stats.mode & 0o111 ? 'exec' : 'file';
  return { path: text, kind, sha256: await hashFile(host, stats), size: stats.size };
}

/** Everything below a folder, sorted by path bytes; links are named, not followed. */
export async function readTree(folder: string): Promise<Entry[]> {
  const root = Buffer.from(folder);
  const found: Found[] = [];
  for await (const item of walk(root, Buffer.alloc(0))) found.push(item);
  found.sort((a, b) => Buffer.compare(a.name, b.name));
  const entries: Entry[] = [];
  for (const item of found) entries.push(await describe(root, item));
  return entries;
}
