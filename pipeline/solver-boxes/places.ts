import { dirname } from 'node:path/posix';
import type { Contract } from '../../schemas/contract.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { anyGlob } from '../../stages/contract/globs.ts';

/** A mount for each closed place makes every start slower; what is beyond stays writable and is found when the tree is read. */
const MAX_CLOSED = 400;

/** Folders that a solver may write into, and files and folders below them that it may not. `loose`: protected files that are not held. */
type SolverPlaces = {
  readonly writable: readonly string[];
  readonly closed: readonly string[];
  readonly loose: number;
};

type Folder = { readonly files: string[]; readonly folders: string[] };

/** Folders of a tree by path, the root as `.`. */
function foldersOf(base: readonly TreeEntry[]): ReadonlyMap<string, Folder> {
  const all = new Map<string, Folder>([['.', { files: [], folders: [] }]]);
  const make = (path: string): Folder => {
    const known = all.get(path);
    if (known !== undefined) return known;
    const folder: Folder = { files: [], folders: [] };
    all.set(path, folder);
    make(dirname(path)).folders.push(path);
    return folder;
  };
  for (const { path, kind } of base) {
    if (kind === 'file' || kind === 'exec') make(dirname(path)).files.push(path);
    else if (kind === 'link') make(dirname(path));
  }
  return all;
}

const hasWildcard = (part: string) => /[*?{}]/u.test(part);

/** Where new paths that fit a glob begin: the folder, and whether they may lie deeper in it. */
function placeOf(glob: string): { readonly folder: string; readonly isDeep: boolean } {
  const parts = glob.split('/');
  const first = parts.findIndex(hasWildcard);
  const at = first === -1 ? parts.length - 1 : first;
  const rest = parts.slice(at);
  const folder = parts.slice(0, at).join('/') || '.';
  return { folder, isDeep: rest.length > 1 || rest.some((part) => part.includes('**')) };
}

const isBelow = (above: string, path: string) =>
  above === '.' || above === path || path.startsWith(`${above}/`);

/** Which folders of the base must be writable for the contract's step to be possible at all. */
function openFolders(contract: Contract, folders: ReadonlyMap<string, Folder>) {
  const open = new Set<string>();
  const deep: string[] = [];
  for (const path of [...contract.editable.map(({ file }) => file), ...contract.delete])
    open.add(dirname(path));
  for (const glob of [
    ...contract.create.map((entry) => entry.glob),
    ...(contract.base.discard ?? []),
  ]) {
    const { folder, isDeep } = placeOf(glob);
    let there = folder;
    // A folder that is still to be made is made in the nearest one that is there.
    while (!folders.has(there)) there = dirname(there);
    open.add(there);
    if (isDeep && there === folder) deep.push(folder);
  }
  return (path: string) => open.has(path) || deep.some((above) => isBelow(above, path));
}

/**
 * How a solver's copy is shown so that a change of a protected file cannot be expressed. Folders and files of the base only, by path;
 * links cannot be held. null: under `measure` violations are observed, so nothing is held. Source: grading.md 3.
 */
export function solverPlaces(contract: Contract, base: readonly TreeEntry[]): SolverPlaces | null {
  if (contract.order === 'measure') return null;
  const folders = foldersOf(base);
  const isOpen = openFolders(contract, folders);
  const mayGo = new Set([...contract.editable.map(({ file }) => file), ...contract.delete]);
  const isDiscarded = anyGlob(contract.base.discard ?? []);
  const writable: string[] = [];
  const [closedFolders, closedFiles]: [string[], string[]] = [[], []];
  const walk = (path: string, isWritableAbove: boolean): void => {
    const folder = folders.get(path);
    const isWritable = isOpen(path);
    if (isWritable && !isWritableAbove) writable.push(path);
    if (!isWritable && isWritableAbove) closedFolders.push(path);
    if (isWritable)
      closedFiles.push(
        ...(folder?.files ?? []).filter((file) => !mayGo.has(file) && !isDiscarded(file)),
      );
    for (const below of folder?.folders ?? []) walk(below, isWritable);
  };
  walk('.', false);
  const room = Math.max(0, MAX_CLOSED - closedFolders.length);
  const closed = [...closedFolders, ...closedFiles.slice(0, room)].toSorted();
  return { writable: writable.toSorted(), closed, loose: closedFiles.slice(room).length };
}
