import { Contract } from '../../schemas/contract.ts';
import { hardPathProblem } from './paths.ts';

/** One thing that makes a text no contract: a closed code, the key path, and what was expected. */
type ContractIssue = {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly detail: string;
};

type Parsed =
  | { readonly ok: true; readonly contract: Contract }
  | { readonly ok: false; readonly issues: readonly ContractIssue[] };

const keyPath = (path: readonly PropertyKey[]) =>
  path.map((part) => (typeof part === 'number' ? part : String(part)));

type Issue = NonNullable<ReturnType<typeof Contract.safeParse>['error']>['issues'][number];

function issuesOf(issue: Issue): ContractIssue[] {
  const path = keyPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      code: 'contract.unknown-key',
      path: [...path, key],
      detail: `"${key}" is no key of a contract of version 1`,
    }));
  }
  const isVersion = path.length === 1 && path[0] === 'contract';
  const code = isVersion ? 'contract.version' : 'contract.value';
  return [{ code, path, detail: issue.message }];
}

/** Every path that a contract names, with the keys that lead to it. */
function namedPaths(contract: Contract): (readonly [string, readonly (string | number)[]])[] {
  const build = typeof contract.build === 'object' ? contract.build : null;
  const rows = <T>(list: readonly T[], key: string, path: (one: T) => string, last: string) =>
    list.map((one, at) => [path(one), last === '' ? [key, at] : [key, at, last]] as const);
  return [
    ...rows(contract.editable, 'editable', ({ file }) => file, 'file'),
    ...rows(contract.delete, 'delete', (path) => path, ''),
    ...rows(contract.override, 'override', ({ path }) => path, 'path'),
    ...rows(contract.target?.declarations ?? [], 'target', ({ file }) => file, 'file'),
    ...rows(contract.base.exclude_dirs ?? [], 'base', (path) => path, 'exclude_dirs'),
    ...rows(build?.writable ?? [], 'build', ({ path }) => path, 'writable'),
    ...rows(build?.mounts ?? [], 'build', ({ path }) => path, 'mounts'),
    ...rows(build?.overlay ?? [], 'build', ({ path }) => path, 'overlay'),
  ];
}

/** Every glob, the same way. */
const namedGlobs = ({ base, create, visible }: Contract) =>
  [
    ...(base.discard ?? []).map((glob, at) => [glob, ['base', 'discard', at]] as const),
    ...create.map(({ glob }, at) => [glob, ['create', at, 'glob']] as const),
    ...visible.include.map((glob, at) => [glob, ['visible', 'include', at]] as const),
    ...visible.exclude.map((glob, at) => [glob, ['visible', 'exclude', at]] as const),
  ] as const;

/** What is wrong with the literal parts of a glob; a path that fits a sound one may still be refused by itself. */
function isBadGlob(glob: string): boolean {
  if (/^\/|\/\/|\/$/u.test(glob)) return true;
  const pieces = glob.replace(/[*?]/gu, 'x').split(/[/{},]/u);
  return pieces.some((piece) => piece !== '' && hardPathProblem(piece) !== null);
}

function pathIssues(contract: Contract): ContractIssue[] {
  const bad = [
    ...namedPaths(contract).filter(([value]) => hardPathProblem(value) !== null),
    ...namedGlobs(contract).filter(([glob]) => isBadGlob(glob)),
  ];
  return bad.map(([value, path]) => ({
    code: 'contract.path',
    path,
    detail: `"${value}" is a path that no tree may hold`,
  }));
}

/**
 * A contract from parsed YAML or JSON, or every reason why it is none. Fail-closed: an unknown key, a wrong type or word and a
 * path against the rules are errors; what is absent means that nothing may change. Source: contracts.md 2.3.
 */
export function contractOf(value: unknown): Parsed {
  const parsed = Contract.safeParse(value);
  if (!parsed.success) return { ok: false, issues: parsed.error.issues.flatMap(issuesOf) };
  const issues = pathIssues(parsed.data);
  return issues.length === 0 ? { ok: true, contract: parsed.data } : { ok: false, issues };
}
