import {
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { anyGlob } from '../../stages/contract/globs.ts';
import { byPathBytes, inManifestOrder } from '../../stages/contract/manifest.ts';
import { hardPathProblem } from '../../stages/contract/paths.ts';
import { byPrimary } from '../../stages/contract/reason-codes.ts';
import { changed, hashOpen, withFile } from './hash-file.ts';
import { exactText, spelled } from './raw-name.ts';
import { byPath, sizeLimits } from './size-limits.ts';
import { type NoTree, problem, type ReadOptions, type TreeOnHand } from './tree-on-hand.ts';

const SPECIAL_BITS = 0o7000;
const NOTHING = sha256('');

type Walk = {
  readonly root: string;
  readonly options: ReadOptions;
  readonly base: ReadonlyMap<string, TreeEntry>;
  readonly isDiscarded: (path: string) => boolean;
  readonly entries: TreeEntry[];
  readonly discarded: string[];
  readonly problems: Reason[];
  readonly sizeProblem: (path: string, size: number) => Reason | null;
};

const hostOf = ({ root }: Walk, path: string) => (path === '' ? root : `${root}/${path}`);

/** Names as bytes: text would turn what is no UTF-8 into something else. */
const list = (host: string): Dirent<Buffer>[] =>
  readdirSync(host, { withFileTypes: true, encoding: 'buffer' });

/** What is wrong with a file before any of it is read, or null. */
function fileProblem(walk: Walk, path: string, stats: Stats): Reason | null {
  if ((stats.mode & SPECIAL_BITS) !== 0)
    return problem('tree.mode', path, 'a setuid, setgid or sticky bit');
  if (stats.nlink > 1) return problem('tree.hardlink', path, `${stats.nlink} names of one file`);
  return walk.sizeProblem(path, stats.size);
}

/** A solver may take its own right to read away, or nest beyond what a path can say; that is its candidate's fault and none of the world. */
function unlessLocked(walk: Walk, path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENAMETOOLONG')
      walk.problems.push(problem('tree.path', path, 'a path too long to be opened'));
    else if (code === 'EACCES')
      walk.problems.push(problem('tree.mode', path, 'a mode that forbids reading'));
    else throw error;
  }
}

function readFileEntry(walk: Walk, path: string): void {
  const host = hostOf(walk, path);
  withFile(host, (file, stats) => {
    const wrong = fileProblem(walk, path, stats);
    if (wrong !== null) {
      walk.problems.push(wrong);
      return;
    }
    const { size } = stats;
    const kind = (stats.mode & 0o111) === 0 ? 'file' : 'exec';
    walk.entries.push({ path, kind, size, sha256: hashOpen(file, size, host) });
  });
}

function readLinkEntry(walk: Walk, path: string): void {
  const target = readlinkSync(hostOf(walk, path), 'buffer');
  walk.entries.push({ path, kind: 'link', size: target.length, sha256: sha256(target) });
}

function readFolder(walk: Walk, path: string): void {
  const { excludeDirs = [], isCandidate = false } = walk.options;
  if (excludeDirs.includes(path)) {
    if (isCandidate)
      walk.problems.push(
        problem('tree.excluded', path, 'a folder that comes from the build alone'),
      );
    return;
  }
  const host = hostOf(walk, path);
  const stats = lstatSync(host);
  // Put in the folder's place after it was listed, a link would lead the walk elsewhere.
  if (!stats.isDirectory()) throw changed(host);
  if ((stats.mode & SPECIAL_BITS) !== 0)
    walk.problems.push(problem('tree.mode', path, 'a setuid, setgid or sticky bit'));
  const found = list(host);
  const before = walk.base.get(path);
  if (before?.kind === 'gitlink') walk.entries.push(before);
  else if (found.length === 0) walk.entries.push({ path, kind: 'dir', size: 0, sha256: NOTHING });
  for (const entry of found) readEntry(walk, path, entry);
}

function readEntry(walk: Walk, folder: string, entry: Dirent<Buffer>): void {
  const above = folder === '' ? '' : `${folder}/`;
  const name = exactText(entry.name);
  const path = above + (name ?? spelled(entry.name));
  const hard = name === null ? 'tree.path' : hardPathProblem(path);
  if (hard !== null) {
    const detail = name === null ? 'a name that is not UTF-8' : 'a path that no tree may hold';
    walk.problems.push(problem(hard, path, detail));
    return;
  }
  if (walk.isDiscarded(path)) {
    walk.discarded.push(path);
    return;
  }
  if (entry.isSymbolicLink()) unlessLocked(walk, path, () => readLinkEntry(walk, path));
  else if (entry.isDirectory()) unlessLocked(walk, path, () => readFolder(walk, path));
  else if (entry.isFile()) unlessLocked(walk, path, () => readFileEntry(walk, path));
  else walk.problems.push(problem('tree.kind', path, 'a fifo, socket or device'));
}

/** Bytes are read again when they are asked for, and must still be what was hashed. */
function readerOf(walk: Walk): TreeOnHand['read'] {
  let places: Map<string, TreeEntry> | null = null;
  const load = (host: string) => withFile(host, (file) => readFileSync(file));
  return (name) => {
    places ??= new Map(
      walk.entries.flatMap((entry) =>
        entry.kind === 'dir' || entry.kind === 'gitlink' ? [] : [[entry.sha256, entry]],
      ),
    );
    const entry = places.get(name);
    if (entry === undefined) return undefined;
    const host = hostOf(walk, entry.path);
    const bytes = entry.kind === 'link' ? readlinkSync(host, 'buffer') : load(host);
    if (sha256(bytes) === name) return bytes;
    throw changed(host);
  };
}

/**
 * Everything below a folder by a walk over raw names. Links are named, never followed; the root's own `.git` is dropped
 * unread. Git is not asked: of what it calls unchanged, much is not. Source: contracts.md 4.
 */
export async function readDirectory(
  folder: string,
  options: ReadOptions = {},
): Promise<TreeOnHand | NoTree> {
  const base = byPath(options.base);
  const walk: Walk = {
    root: folder,
    options,
    base,
    isDiscarded: anyGlob(options.discard ?? []),
    entries: [],
    discarded: [],
    problems: [],
    sizeProblem: sizeLimits(options, base),
  };
  for (const entry of list(folder))
    if (!entry.name.equals(Buffer.from('.git'))) readEntry(walk, '', entry);
  if (walk.problems.length > 0) return { problems: byPrimary(walk.problems) };
  const entries = inManifestOrder(walk.entries);
  return { entries, read: readerOf(walk), discarded: walk.discarded.toSorted(byPathBytes) };
}
