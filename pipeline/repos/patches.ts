import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TreeEntry } from '../../schemas/tree.ts';
import type { Ledger, Patches } from '../../stages/context.ts';
import { parseManifest } from '../../stages/contract/manifest.ts';
import { commitStream } from './fast-import.ts';
import { bindGit, type Git, gitFault, locateGit } from './git-process.ts';

/** The port: what git itself merges and prints, in a bare repository of our own below `scratch`. */
export async function openPatches({
  ledger,
  scratch,
  signal,
}: {
  readonly ledger: Pick<Ledger, 'get'>;
  readonly scratch: string;
  readonly signal?: AbortSignal;
}): Promise<Patches> {
  const folder = resolve(scratch, 'patches');
  // What a killed run left (locks, half a file) is worth nothing; one run owns its scratch folder at a time.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const git = bindGit(await locateGit(), join(folder, 'scratch.git'), signal);
  await git.read(['init', '--quiet', '--template=', '--initial-branch=main']);
  const merges = new Map<string, Promise<Uint8Array | null>>();
  let diffs = 0;
  return {
    merge(base, ours, theirs) {
      const key = [base, ours, theirs].map(digest).join(' ');
      const known = merges.get(key);
      if (known !== undefined) return known;
      const fresh = merge(git, folder, [base, ours, theirs]);
      remember(merges, key, fresh);
      return fresh;
    },
    diff: (before, after) => diff(git, ledger, [before, after], `refs/trees/${diffs++}`),
  };
}

const KEPT = 2000;

/** A failed merge is forgotten, so that it is tried again; so are the oldest ones. */
function remember<T>(memory: Map<string, Promise<T>>, key: string, answer: Promise<T>): void {
  const oldest = memory.keys().next().value;
  if (memory.size >= KEPT && oldest !== undefined) memory.delete(oldest);
  memory.set(key, answer);
  answer.catch(() => memory.delete(key));
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

type Sides = readonly [base: Uint8Array, ours: Uint8Array, theirs: Uint8Array];

/** Where one side did nothing, the other is the answer, also for binary files, as in git's own tree merge. */
async function merge(git: Git, folder: string, sides: Sides): Promise<Uint8Array | null> {
  const [base, ours, theirs] = sides.map((bytes) => Buffer.from(bytes)) as [Buffer, Buffer, Buffer];
  if (ours.equals(theirs) || theirs.equals(base)) return Uint8Array.from(ours);
  if (ours.equals(base)) return Uint8Array.from(theirs);
  if ([base, ours, theirs].some(isBinary)) return null;
  const place = await mkdtemp(join(folder, 'merge-'));
  try {
    const names = ['ours', 'base', 'theirs'].map((name) => join(place, name));
    await Promise.all([ours, base, theirs].map((side, at) => writeFile(names[at] ?? '', side)));
    const args = ['merge-file', '--stdout', '--quiet', ...names];
    const { code, stdout, stderr } = await git.run(args);
    if (code === null || code > 127) throw gitFault(args, stderr || `exit ${code}`);
    return code === 0 ? Uint8Array.from(stdout) : null;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Git's own rule: a NUL among the first 8,000 bytes. */
const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, 8000).includes(0);

const DIFF = [
  'diff-tree',
  '-p',
  '--binary',
  '--full-index',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--src-prefix=a/',
  '--dst-prefix=b/',
] as const;

async function diff(
  git: Git,
  ledger: Pick<Ledger, 'get'>,
  [before, after]: readonly [string, string],
  ref: string,
): Promise<Uint8Array> {
  if (before === after) return new Uint8Array();
  const left = parseManifest(ledger.get(before));
  const right = parseManifest(ledger.get(after));
  const commit = (name: string, entries: readonly TreeEntry[]) =>
    commitStream(
      name,
      entries.map((entry) => ({ entry, bytes: ledger.get(entry.sha256) })),
    );
  const [from, to] = [`${ref}/from`, `${ref}/to`];
  const stream = [commit(from, onlyIn(left, right)), commit(to, onlyIn(right, left))];
  await git.read(['fast-import', '--quiet', '--force', '--date-format=raw'], Buffer.concat(stream));
  return Uint8Array.from(await git.read([...DIFF, from, to]));
}

/** Equal entries print nothing, so they need not become objects. */
function onlyIn(these: readonly TreeEntry[], those: readonly TreeEntry[]): readonly TreeEntry[] {
  const key = ({ path, kind, sha256 }: TreeEntry) => `${kind} ${sha256} ${path}`;
  const other = new Set(those.map(key));
  return these.filter((entry) => !other.has(key(entry)));
}
