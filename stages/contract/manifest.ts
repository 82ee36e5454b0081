import type { TreeEntry } from '../../schemas/tree.ts';
import { sha256 } from './canonical-json.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const HEADER = 'contract-manifest-v1\n';

const modes = {
  file: '100644',
  exec: '100755',
  link: '120000',
  gitlink: '160000',
  dir: '040000',
} as const satisfies Record<TreeEntry['kind'], string>;

/** The mode that git writes for a kind. */
export const modeOf = (kind: TreeEntry['kind']): string => modes[kind];

/** Order of paths by their raw UTF-8 bytes; JavaScript's own order differs above U+FFFF. */
export function byPathBytes(left: string, right: string): number {
  const a = encoder.encode(left);
  const b = encoder.encode(right);
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const isPlain = (path: string) => /^[\x20-\x7e]*$/.test(path);
const byText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** The entries in manifest order. ASCII paths compare as text, which is the same order and much faster. */
export function inManifestOrder(entries: readonly TreeEntry[]): TreeEntry[] {
  const order = entries.every(({ path }) => isPlain(path)) ? byText : byPathBytes;
  return entries.toSorted((left, right) => order(left.path, right.path));
}

function line({ path, kind, size, sha256: content }: TreeEntry): string {
  const bytes = isPlain(path) ? path.length : encoder.encode(path).length;
  return `${kind} ${modes[kind]} ${size} ${content} ${bytes}:${path}\n`;
}

/**
 * Entries of manifests that were written or read here, by the very bytes, which nobody changes: a checker that sees one base
 * a thousand times reads it once. Other bytes, also equal ones, are read in full.
 */
const known = new WeakMap<Uint8Array, readonly TreeEntry[]>();

/**
 * A tree as text: a header, then `kind mode size sha256 length:path` lines by raw path bytes.
 * The bytes are stored as a blob, and their SHA-256 is the tree's name everywhere. Throws on a path that occurs twice.
 */
export function manifestText(entries: readonly TreeEntry[]): Uint8Array {
  const list = inManifestOrder(entries);
  const twice = list.find((entry, at) => entry.path === list[at - 1]?.path);
  if (twice) throw new Error(`manifest failed: "${twice.path}" occurs twice`);
  const bytes = encoder.encode(HEADER + list.map(line).join(''));
  known.set(bytes, list);
  return bytes;
}

/** The name of a tree: SHA-256 of its manifest text. */
export function manifestRoot(entries: readonly TreeEntry[]): string {
  return sha256(manifestText(entries));
}

const linePattern = /^(file|exec|link|gitlink|dir) (\d{6}) (\d+) ([0-9a-f]{64}) (\d+):(.+)$/su;

const isKind = (kind: string): kind is TreeEntry['kind'] => Object.hasOwn(modes, kind);

/** By hand and not by schema: a tree has thousands of lines, and the pattern and the spelling say the same. */
function parsedLine(text: string): TreeEntry {
  const [, kind = '', , size = '', content = '', , path = ''] = linePattern.exec(text) ?? [];
  if (isKind(kind)) {
    const entry = { path, kind, size: Number(size), sha256: content };
    if (`${text}\n` === line(entry)) return entry;
  }
  throw new Error(`manifest unreadable: "${text}" is not a canonical entry`);
}

/** The entries of a manifest text, in its order. Throws on anything that `manifestText` would not have written. */
export function parseManifest(bytes: Uint8Array): readonly TreeEntry[] {
  const seen = known.get(bytes);
  if (seen !== undefined) return seen;
  const text = decoder.decode(bytes);
  if (!text.startsWith(HEADER) || !text.endsWith('\n')) {
    throw new Error('manifest unreadable: no "contract-manifest-v1" header or a cut last line');
  }
  const lines = text === HEADER ? [] : text.slice(HEADER.length, -1).split('\n');
  const entries = lines.map(parsedLine);
  const order = entries.every(({ path }) => isPlain(path)) ? byText : byPathBytes;
  const bad = entries.find(
    ({ path }, at) => at > 0 && order(entries[at - 1]?.path ?? '', path) >= 0,
  );
  if (bad) throw new Error(`manifest unreadable: "${bad.path}" is out of order or occurs twice`);
  known.set(bytes, entries);
  return entries;
}
