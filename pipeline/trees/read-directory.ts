import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  type Stats,
} from 'node:fs';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { anyGlob } from '../../stages/contract/globs.ts';
import { byPathBytes } from '../../stages/contract/manifest.ts';
import { hardPathProblem } from '../../stages/contract/paths.ts';
import { byPrimary } from '../../stages/contract/reason-codes.ts';
import { Fault } from '../../stages/fault.ts';
import { exactText, spelled } from './raw-name.ts';
import { type NoTree, problem, type TreeOnHand } from './tree-on-hand.ts';

/** How a folder is read. */
export type ReadOptions = {
  /** Folders that belong to neither tree; one that is there is a problem in a candidate and dropped in a base. */
  readonly excludeDirs?: readonly string[];
  readonly isCandidate?: boolean;
  /** Globs of paths that are dropped and listed. */
  readonly discard?: readonly string[];
  /** Gitlinks and empty folders of the base: a folder at such a path reads back as what the base has there. */
  readonly base?: readonly TreeEntry[];
  /** No file may be larger, nor all of them together; refused before anything of it is read. */
  readonly maxBytes?: number;
};

const MAX_BYTES = 4 * 1024 * 1024 * 1024;
const SPECIAL_BITS = 0o7000;
const SLASH = Buffer.from('/');
const below = (folder: Buffer, name: Buffer) =>
  folder.length === 0 ? name : Buffer.concat([folder, SLASH, name]);

type Walk = {
  readonly root: Buffer;
  readonly options: ReadOptions;
  readonly gitlinks: ReadonlyMap<string, TreeEntry>;
  readonly isDiscarded: (path: string) => boolean;
  readonly entries: TreeEntry[];
  readonly places: Map<string, { readonly host: Buffer; readonly kind: TreeEntry['kind'] }>;
  readonly discarded: string[];
  readonly problems: Reason[];
  /** Bytes of files so far. */
  total: number;
};

const NOTHING = sha256(new Uint8Array());

function list(folder: Buffer): Dirent<Buffer>[] {
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });
}

/** Opened without following a link, and the same file that was looked at; so nothing can be put in its place between. */
function openSame(host: Buffer, seen: Stats): number {
  const file = openSync(host, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const now = fstatSync(file);
  if (now.ino === seen.ino && now.dev === seen.dev && now.size === seen.size) return file;
  closeSync(file);
  throw new Fault(
    `tree failed: "${spelled(host)}" changed while it was read. Let nothing write there.`,
    { code: 'source-unreadable' },
  );
}

const CHUNK_BYTES = 1024 * 1024;

/** Calls that wait are several times faster here than promises: a tree is many small files. */
function digestOfFile(host: Buffer, seen: Stats): string {
  const file = openSame(host, seen);
  try {
    if (seen.size <= CHUNK_BYTES) return sha256(readFileSync(file));
    const hash = createHash('sha256');
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk))
      hash.update(chunk.subarray(0, size));
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}

const keep = (walk: Walk, host: Buffer, entry: TreeEntry) => {
  walk.entries.push(entry);
  if (entry.kind !== 'dir' && entry.kind !== 'gitlink')
    walk.places.set(entry.sha256, { host, kind: entry.kind });
};

/** What is wrong with a file before any of it is read, or null. */
function fileProblem(walk: Walk, path: string, stats: Stats): Reason | null {
  const { maxBytes = MAX_BYTES } = walk.options;
  if ((stats.mode & SPECIAL_BITS) !== 0)
    return problem('tree.mode', path, 'a setuid, setgid or sticky bit');
  if (stats.nlink > 1) return problem('tree.hardlink', path, `${stats.nlink} names of one file`);
  walk.total += stats.size;
  if (stats.size > maxBytes || walk.total > maxBytes)
    return problem('tree.too-large', path, `${stats.size} bytes; ${maxBytes} fit in all`);
  return null;
}

function readFileEntry(walk: Walk, host: Buffer, path: string): void {
  const stats = lstatSync(host);
  const wrong = fileProblem(walk, path, stats);
  if (wrong !== null) {
    walk.problems.push(wrong);
    return;
  }
  const kind = (stats.mode & 0o111) === 0 ? 'file' : 'exec';
  keep(walk, host, { path, kind, size: stats.size, sha256: digestOfFile(host, stats) });
}

function readLinkEntry(walk: Walk, host: Buffer, path: string): void {
  const target = readlinkSync(host, 'buffer');
  keep(walk, host, { path, kind: 'link', size: target.length, sha256: sha256(target) });
}

function readFolder(walk: Walk, host: Buffer, name: Buffer, path: string): void {
  const { excludeDirs = [], isCandidate = false } = walk.options;
  if (excludeDirs.includes(path)) {
    if (isCandidate)
      walk.problems.push(
        problem('tree.excluded', path, 'a folder that comes from the build alone'),
      );
    return;
  }
  const { mode } = lstatSync(host);
  if ((mode & SPECIAL_BITS) !== 0)
    walk.problems.push(problem('tree.mode', path, 'a setuid, setgid or sticky bit'));
  const found = list(host);
  const gitlink = walk.gitlinks.get(path);
  if (gitlink !== undefined) walk.entries.push(gitlink);
  else if (found.length === 0) walk.entries.push({ path, kind: 'dir', size: 0, sha256: NOTHING });
  for (const entry of found) readEntry(walk, name, entry);
}

function readEntry(walk: Walk, folder: Buffer, entry: Dirent<Buffer>): void {
  const name = below(folder, entry.name);
  const host = below(walk.root, name);
  const path = exactText(name);
  if (path === null) {
    walk.problems.push(problem('tree.path', spelled(name), 'a name that is not UTF-8'));
    return;
  }
  const hard = hardPathProblem(path);
  if (hard !== null) {
    walk.problems.push(problem(hard, path, 'a path that no tree may hold'));
    return;
  }
  if (walk.isDiscarded(path)) {
    walk.discarded.push(path);
    return;
  }
  if (entry.isSymbolicLink()) readLinkEntry(walk, host, path);
  else if (entry.isDirectory()) readFolder(walk, host, name, path);
  else if (entry.isFile()) readFileEntry(walk, host, path);
  else walk.problems.push(problem('tree.kind', path, 'a fifo, socket or device'));
}

/** Bytes are read again when they are asked for, and must still be what was hashed. */
function readerOf(
  { places }: Walk,
  load: (host: Buffer) => Uint8Array,
  target: (host: Buffer) => Uint8Array,
) {
  return (name: string): Uint8Array | undefined => {
    const place = places.get(name);
    if (place === undefined) return undefined;
    const bytes = place.kind === 'link' ? target(place.host) : load(place.host);
    if (sha256(bytes) === name) return bytes;
    throw new Fault(
      `tree failed: "${spelled(place.host)}" changed after it was read. Let nothing write there.`,
      {
        code: 'source-unreadable',
      },
    );
  };
}

/**
 * Everything below a folder by an `lstat` walk over raw names. Links are named, never followed; the root's own `.git` is
 * dropped unread. Git is not asked: of what it calls unchanged, much is not. Source: contracts.md 4.
 */
export async function readDirectory(
  folder: string,
  options: ReadOptions = {},
): Promise<TreeOnHand | NoTree> {
  const root = Buffer.from(folder);
  const links = (options.base ?? []).filter(({ kind }) => kind === 'gitlink');
  const walk: Walk = {
    root,
    options,
    gitlinks: new Map(links.map((entry) => [entry.path, entry])),
    isDiscarded: anyGlob(options.discard ?? []),
    entries: [],
    places: new Map(),
    discarded: [],
    problems: [],
    total: 0,
  };
  for (const entry of list(root)) {
    if (entry.name.equals(Buffer.from('.git'))) continue;
    readEntry(walk, Buffer.alloc(0), entry);
  }
  if (walk.problems.length > 0) return { problems: byPrimary(walk.problems) };
  const entries = walk.entries.toSorted((a, b) => byPathBytes(a.path, b.path));
  const read = readerOf(
    walk,
    (host) => readFileSync(host),
    (host) => readlinkSync(host, 'buffer'),
  );
  return { entries, read, discarded: walk.discarded.toSorted(byPathBytes) };
}
