import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { anyGlob, globPattern } from './globs.ts';
import { globsMeet } from './globs-meet.ts';
import { isNeverEditable } from './never-editable.ts';
import { isOverridden } from './path-rules.ts';
import { ancestorsOf, foldPath, hardPathProblem } from './paths.ts';

type Tree = ReadonlyMap<string, TreeEntry>;

const reason = (code: string, path: string | null, detail: string): Reason => ({
  code: `contract.${code}`,
  path,
  at: null,
  detail,
});

function missing(path: string, base: Tree, what: string): Reason[] {
  const kind = base.get(path)?.kind;
  if (kind === 'file' || kind === 'exec') return [];
  const found = kind === undefined ? 'does not have' : `has as a ${kind}`;
  return [reason('value', path, `${what} that the base ${found}`)];
}

function namedReasons(contract: Contract, base: Tree): Reason[] {
  const files = contract.editable.map(({ file }) => file);
  const named = [...files, ...contract.delete];
  const bad = named.filter((path) => hardPathProblem(path) !== null);
  const closed = named.filter((path) => isNeverEditable(path) && !isOverridden(contract, path));
  return [
    ...bad.map((path) => reason('path', path, 'a path that no tree may hold')),
    ...closed.map((path) =>
      reason('protected-path', path, 'a name that is never editable, and no override'),
    ),
    ...files.flatMap((file) => missing(file, base, 'an editable file')),
    ...contract.delete
      .filter((path) => !base.has(path))
      .flatMap((path) => missing(path, base, 'a path to delete')),
    ...[...base.keys()]
      .filter((path) => hardPathProblem(path) !== null)
      .map((path) => reason('base-invalid', path, 'a path of the base breaks the hard rules')),
  ];
}

/** A path that a glob fits, its first alternatives taken. */
function samplePath(glob: string): string {
  const chosen = glob.replace(/\{([^{},]*)(?:,[^{}]*)?\}/gu, '$1');
  return chosen === glob ? glob.replace(/[*?]+/gu, 'x') : samplePath(chosen);
}

/** A glob that fits names which are never created promises what the check then refuses. */
function createReasons(contract: Contract): Reason[] {
  return contract.create.flatMap(({ glob }) => {
    const fits = globPattern(glob);
    const isLifted = contract.override.some(({ path }) => fits.test(path));
    if (isLifted || !isNeverEditable(samplePath(glob))) return [];
    return [reason('protected-path', glob, 'names that are never created, and no override')];
  });
}

/** Globs of droppings may not reach a path of the base, nor anything that the contract lets change. */
function discardReasons(contract: Contract, base: Tree): Reason[] {
  const globs = contract.base.discard ?? [];
  const isDiscarded = anyGlob(globs);
  const named = [...base.keys(), ...contract.editable.map(({ file }) => file), ...contract.delete];
  const met = [...new Set(named)].find(isDiscarded);
  const shared = contract.create.find(({ glob }) => globs.some((one) => globsMeet(one, glob)));
  return [
    ...(met === undefined ? [] : [reason('value', met, 'a discard glob meets this path')]),
    ...(shared
      ? [reason('value', shared.glob, 'what this glob creates, a discard glob drops')]
      : []),
  ];
}

/** A link above an editable file would let a write end elsewhere. */
function linkReasons(contract: Contract, base: Tree): Reason[] {
  const globFolders = contract.create.map(({ glob }) => glob.replace(/[^/]*[*?{].*$/u, 'x'));
  return [...contract.editable.map(({ file }) => file), ...globFolders].flatMap((path) => {
    const link = [...ancestorsOf(path), path].find((part) => base.get(part)?.kind === 'link');
    return link === undefined ? [] : [reason('base-invalid', path, `"${link}" is a link`)];
  });
}

/** What B_C lays over the tree is the contract's own and never a candidate's. */
function overlayReasons({ build, editable, delete: gone, create }: Contract): Reason[] {
  if (typeof build !== 'object') return [];
  const own = [...build.overlay, ...build.mounts].map(({ path }) => foldPath(path));
  const isOwn = (path: string) =>
    own.some((one) => foldPath(path) === one || foldPath(path).startsWith(`${one}/`));
  const met = [...editable.map(({ file }) => file), ...gone].filter(isOwn);
  const reached = create
    .map(({ glob }) => glob)
    .filter((glob) =>
      own.some((one) => [one, `${one}/**`].some((path) => globsMeet(foldPath(glob), path))),
    );
  return [...met, ...reached].map((path) =>
    reason('protected-path', path, 'the build lays or mounts this path itself'),
  );
}

/** What is wrong with the paths and globs of a contract for this base. Source: contracts.md 2.2, 2.4, 3. */
export const lintPaths = (contract: Contract, base: Tree): Reason[] => [
  ...namedReasons(contract, base),
  ...createReasons(contract),
  ...discardReasons(contract, base),
  ...linkReasons(contract, base),
  ...overlayReasons(contract),
];
