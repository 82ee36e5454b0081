import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { anyGlob } from '../../stages/contract/globs.ts';
import { byPathBytes, inManifestOrder } from '../../stages/contract/manifest.ts';
import { hardPathProblem } from '../../stages/contract/paths.ts';
import { byPrimary } from '../../stages/contract/reason-codes.ts';
import { Fault } from '../../stages/fault.ts';
import { type ObjectReader, openObjects } from '../repos/cat-file.ts';
import { gitFolder } from '../repos/git-folder.ts';
import { bindGit, type Git, locateGit } from '../repos/git-process.ts';
import { type BlobRow, gitBlobs } from './git-blobs.ts';
import { exactText, spelled } from './raw-name.ts';
import { type NoTree, problem, type ReadOptions, type TreeOnHand } from './tree-on-hand.ts';

const TREE = '40000';
const kinds: Readonly<Record<string, Exclude<TreeEntry['kind'], 'dir'>>> = {
  100644: 'file',
  100755: 'exec',
  120000: 'link',
  160000: 'gitlink',
};

type Row = { readonly mode: string; readonly name: Buffer; readonly oid: string };

/** `mode SP name NUL oid`, row after row; an object cut anywhere gives null. */
function rowsOf(bytes: Uint8Array, oidBytes: number): Row[] | null {
  const raw = Buffer.from(bytes);
  const rows: Row[] = [];
  for (let at = 0; at < raw.length; ) {
    const blank = raw.indexOf(0x20, at);
    const nul = raw.indexOf(0, blank + 1);
    const end = nul + 1 + oidBytes;
    if (blank === -1 || nul === -1 || end > raw.length) return null;
    const mode = raw.toString('latin1', at, blank);
    const oid = raw.toString('hex', nul + 1, end);
    rows.push({ mode, name: raw.subarray(blank + 1, nul), oid });
    at = end;
  }
  return rows;
}

/** Git sorts a folder as if its name ended with a slash. */
const sortKey = ({ mode, name }: Row) =>
  mode === TREE ? Buffer.concat([name, Buffer.from('/')]) : name;

function orderProblems(rows: readonly Row[], folder: string): Reason[] {
  const seen = new Set<string>();
  return rows.flatMap((row, at) => {
    const name = row.name.toString('latin1');
    const path = folder + spelled(row.name);
    const before = rows[at - 1];
    if (seen.has(name)) return [problem('tree.duplicate', path, 'a name that occurs twice')];
    seen.add(name);
    if (before === undefined || Buffer.compare(sortKey(before), sortKey(row)) < 0) return [];
    return [problem('tree.order', path, 'an entry out of order')];
  });
}

type Walk = {
  readonly objects: ObjectReader;
  readonly options: ReadOptions;
  readonly isDiscarded: (path: string) => boolean;
  readonly oidBytes: number;
  readonly entries: TreeEntry[];
  readonly blobs: BlobRow[];
  readonly discarded: string[];
  readonly problems: Reason[];
};

async function readFolder(walk: Walk, oid: string, path: string): Promise<void> {
  const { excludeDirs = [], isCandidate = false } = walk.options;
  if (!excludeDirs.includes(path)) {
    await readRows(walk, oid, `${path}/`);
  } else if (isCandidate) {
    const detail = 'a folder that comes from the build alone';
    walk.problems.push(problem('tree.excluded', path, detail));
  }
}

async function readRow(walk: Walk, row: Row, folder: string): Promise<void> {
  const name = exactText(row.name);
  const path = folder + (name ?? spelled(row.name));
  const isSlashed = name?.includes('/') === true;
  const hard = name === null || isSlashed ? 'tree.path' : hardPathProblem(path);
  const kind = kinds[row.mode];
  if (hard !== null) {
    walk.problems.push(problem(hard, path, 'a path that no tree may hold'));
  } else if (walk.isDiscarded(path)) {
    walk.discarded.push(path);
  } else if (row.mode === TREE) {
    await readFolder(walk, row.oid, path);
  } else if (kind === undefined) {
    walk.problems.push(problem('tree.mode', path, `mode ${row.mode}`));
  } else if (kind === 'gitlink') {
    walk.entries.push({ path, kind, size: row.oid.length, sha256: sha256(row.oid) });
  } else {
    walk.blobs.push({ path, kind, oid: row.oid });
  }
}

async function readRows(walk: Walk, oid: string, folder: string): Promise<void> {
  const rows = rowsOf(await walk.objects.tree(oid), walk.oidBytes);
  if (rows === null) {
    walk.problems.push(problem('tree.kind', folder.slice(0, -1), 'a tree object that is cut'));
    return;
  }
  if (rows.length === 0 && folder !== '')
    walk.entries.push({ path: folder.slice(0, -1), kind: 'dir', size: 0, sha256: sha256('') });
  walk.problems.push(...orderProblems(rows, folder));
  for (const row of rows) await readRow(walk, row, folder);
}

/** One repository whose trees are read object by object; no checkout, no filter, no index, no replaced object. */
export type GitTrees = {
  /** The tree of a commit or tree, by any name that git resolves. Faults when there is none. */
  tree(object: string, options?: ReadOptions): Promise<TreeOnHand | NoTree>;
  close(): Promise<void>;
};

async function treeOid(git: Git, path: string, object: string): Promise<string> {
  const parse = async (name: string) => {
    const said = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', name]);
    return said.code === 0 ? said.stdout.toString('latin1').trim() : null;
  };
  // In two steps: behind `REV:folder` git would take the suffix for a part of the folder's name.
  const named = await parse(object);
  const tree = named === null ? null : await parse(`${named}^{tree}`);
  if (tree !== null) return tree;
  throw new Fault(
    `git tree failed: "${object}" names no commit or tree in ${path}. Name one that is there.`,
    {
      code: 'source-unreadable',
    },
  );
}

/** Open a repository (clone, worktree or bare) for reading trees. Source: contracts.md 4.8. */
export async function openGitTrees(path: string): Promise<GitTrees> {
  const git = bindGit(await locateGit(), await gitFolder(path));
  const missing = (oid: string) =>
    new Fault(`git tree failed: ${path} lacks object ${oid}. Fetch it.`, {
      code: 'source-unreadable',
    });
  const objects = openObjects(git, missing);
  const blobs = gitBlobs(git, objects, missing);
  return {
    async tree(object, options = {}) {
      const oid = await treeOid(git, path, object);
      const walk: Walk = {
        objects,
        options,
        isDiscarded: anyGlob(options.discard ?? []),
        oidBytes: oid.length / 2,
        entries: [],
        blobs: [],
        discarded: [],
        problems: [],
      };
      await readRows(walk, oid, '');
      const oversized = await blobs.oversized(walk.blobs, options);
      const problems = [...walk.problems, ...oversized];
      if (problems.length > 0) return { problems: byPrimary(problems) };
      const found = [...walk.entries, ...(await blobs.entries(walk.blobs))];
      const entries = inManifestOrder(found);
      return { entries, read: blobs.read, discarded: walk.discarded.toSorted(byPathBytes) };
    },
    close: objects.close,
  };
}
