import type { Contract } from '../../schemas/contract.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import type { Box } from '../../stages/context.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { anyGlob } from '../../stages/contract/globs.ts';
import { manifestText, parseManifest } from '../../stages/contract/manifest.ts';
import type { Left } from '../../stages/controller/ports.ts';

export type Blobs = { put(bytes: Uint8Array): string; get(sha256: string): Uint8Array };

const MAX_FILE_BYTES = 64 * 1024 * 1024;
const quiet = { timeoutMs: 60_000, maxOutputBytes: 256 * 1024 };

/** Hard links and special bits, which a list of names and bytes does not show. */
async function specialFile(box: Box, signal: AbortSignal): Promise<string | null> {
  const find = [
    'find',
    '.',
    '-path',
    './.git',
    '-prune',
    '-o',
    '(',
    '-type',
    'f',
    '-links',
    '+1',
    '-printf',
    'tree.hardlink %P\\n',
    ')',
    '-o',
    '-perm',
    '/7000',
    '-printf',
    'tree.mode %P\\n',
  ];
  const exit = await box.exec(find, quiet, signal);
  if (exit.code !== 0) return 'tree.kind .: the copy cannot be searched';
  return Buffer.from(exit.stdout).toString('utf8').split('\n')[0] || null;
}

type Found = Awaited<ReturnType<Box['tree']>>[number];

async function entryOf(
  box: Box,
  { path, kind, sha256: name }: Found,
  base: ReadonlyMap<string, TreeEntry>,
  blobs: Blobs,
  signal: AbortSignal,
): Promise<TreeEntry | { reason: string }> {
  const before = base.get(path);
  if (kind === 'dir') {
    if (before?.kind === 'gitlink') return before;
    return { path, kind, size: 0, sha256: sha256('') };
  }
  if (kind !== 'file' && kind !== 'exec' && kind !== 'link')
    return { reason: `tree.kind ${path}: a fifo, socket or device, or a name that is not UTF-8` };
  if (before?.kind === kind && before.sha256 === name) return before;
  const bytes =
    kind === 'link'
      ? new Uint8Array((await box.exec(['readlink', '-n', '--', path], quiet, signal)).stdout)
      : await box.read(path, MAX_FILE_BYTES);
  if (bytes === null || sha256(bytes) !== name)
    return { reason: `tree.too-large ${path}: more than ${MAX_FILE_BYTES} bytes, or changing` };
  return { path, kind, size: bytes.length, sha256: blobs.put(bytes) };
}

/** The tree that was left, read from the copy itself; git is not asked. */
export async function collect(
  box: Box,
  contract: Contract,
  base: string,
  blobs: Blobs,
  signal: AbortSignal,
): Promise<Left> {
  const special = await specialFile(box, signal);
  if (special !== null) return { reason: special };
  const known = new Map(parseManifest(blobs.get(base)).map((entry) => [entry.path, entry]));
  const isDiscarded = anyGlob(contract.base.discard ?? []);
  const discarded: string[] = [];
  const found = await box.tree();
  // Empty folders and submodules were not laid: they are there as long as nothing was put into their place.
  const isKept = ({ path, kind }: TreeEntry) =>
    kind === 'gitlink' ||
    (kind === 'dir' && !found.some((one) => one.path === path || one.path.startsWith(`${path}/`)));
  const entries = new Map([...known].filter(([, entry]) => isKept(entry)));
  for (const left of found) {
    if (left.path === '.git' || left.path.startsWith('.git/')) continue;
    if (isDiscarded(left.path)) {
      discarded.push(left.path);
      continue;
    }
    const entry = await entryOf(box, left, known, blobs, signal);
    if ('reason' in entry) return entry;
    entries.set(entry.path, entry);
  }
  return { tree: blobs.put(manifestText([...entries.values()])), discarded };
}
