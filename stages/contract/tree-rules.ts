import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { ancestorsOf, collidingPaths, hardPathProblem, isPortable } from './paths.ts';
import { utf8 } from './text.ts';

type Tree = ReadonlyMap<string, TreeEntry>;

const reason = (code: string, path: string, detail: string): Reason => ({
  code,
  path,
  at: null,
  detail,
});

/** Whether a link's target stays inside the tree: relative, and never above the root on its way. */
export function isInnerLink(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || /[\p{Cc}\\]/u.test(target)) return false;
  let depth = path.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '.' && part !== '') depth += 1;
    if (depth < 0) return false;
  }
  return true;
}

function newPathReasons(path: string): Reason[] {
  const hard = hardPathProblem(path);
  if (hard) return [reason(hard, path, 'a path that no tree may hold')];
  return isPortable(path)
    ? []
    : [reason('tree.portable', path, 'a path that some file systems cannot hold')];
}

/**
 * A path below something that is not a folder; a gitlink's own folder may hold files, which are then added paths.
 * The base has no such path, so where nothing is new or became solid there is none.
 */
function nestingReasons(base: Tree, tree: Tree): Reason[] {
  const isSolid = (entry: TreeEntry | undefined) => entry !== undefined && entry.kind !== 'gitlink';
  const isFresh = (path: string) => !isSolid(base.get(path));
  if (![...tree.keys()].some(isFresh)) return [];
  return [...tree.keys()].flatMap((path) => {
    const above = ancestorsOf(path).find((folder) => isSolid(tree.get(folder)));
    return above === undefined ? [] : [reason('tree.path', path, `"${above}" is no folder`)];
  });
}

/** Paths in a folder that belongs to neither tree; its files come from the build alone. */
function excludedReasons({ base }: Contract, added: readonly string[]): Reason[] {
  const folders = base.exclude_dirs ?? [];
  const isIn = (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  return added
    .filter(isIn)
    .map((path) => reason('tree.excluded', path, 'a path in a folder that the contract excludes'));
}

function sizeReasons({ limits }: Contract, base: Tree, candidate: Tree): Reason[] {
  const changed = [...candidate.values()].filter(
    ({ path, sha256 }) => base.get(path)?.sha256 !== sha256,
  );
  const total = changed.reduce((sum, { size }) => sum + size, 0);
  const largest = changed.toSorted((left, right) => right.size - left.size)[0];
  if (total <= limits.candidate_bytes || largest === undefined) return [];
  const detail = `${total} bytes changed, at most ${limits.candidate_bytes} fit`;
  return [reason('tree.too-large', largest.path, detail)];
}

/**
 * Whether a candidate is a tree at all: hard rules for every path, portable rules and collisions for new ones, links that stay inside.
 * Entries that the base has unchanged are not read again.
 */
export function treeReasons(
  contract: Contract,
  base: Tree,
  candidate: Tree,
  read: (sha256: string) => Uint8Array,
): Reason[] {
  const added = [...candidate.keys()].filter((path) => !base.has(path));
  const reasons = added.flatMap(newPathReasons);
  const clear = added.filter((path) => hardPathProblem(path) === null);
  for (const path of collidingPaths([...base.keys()], clear)) {
    reasons.push(
      reason(
        'tree.collision',
        path,
        'a path that differs from another only in case or composition',
      ),
    );
  }
  for (const entry of candidate.values()) {
    if (entry.kind !== 'link' || base.get(entry.path)?.sha256 === entry.sha256) continue;
    if (isInnerLink(entry.path, utf8(read(entry.sha256)) ?? '')) continue;
    reasons.push(reason('tree.link', entry.path, 'a link that leaves the tree'));
  }
  return [
    ...reasons,
    ...nestingReasons(base, candidate),
    ...excludedReasons(contract, added),
    ...sizeReasons(contract, base, candidate),
  ];
}
