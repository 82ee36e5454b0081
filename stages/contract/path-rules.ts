import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { globPattern } from './globs.ts';
import { isNeverEditable } from './never-editable.ts';

type Tree = ReadonlyMap<string, TreeEntry>;

const reason = (code: string, path: string, detail: string): Reason => ({
  code,
  path,
  at: null,
  detail,
});
const isPlainFile = (kind: TreeEntry['kind']) => kind === 'file' || kind === 'exec';

/** Whether a contract lifts the never-editable list for exactly this path. */
export const isOverridden = (contract: Contract, path: string): boolean =>
  contract.override.some((entry) => entry.path === path);

const loadable = /\.(?:[cm]?[jt]sx?|json|node|py|pyi|pyc|so|pyd)$/u;
const moduleName = (path: string) => (loadable.test(path) ? path.replace(loadable, '') : null);
const packageFile = /\/(?:index|__init__)$/u;

const pythonModules = `abc argparse array ast asyncio atexit base64 bisect builtins calendar cmath codecs collections configparser
  contextlib copy csv ctypes dataclasses datetime decimal difflib dis doctest email enum errno faulthandler fnmatch fractions
  functools gc getpass gettext glob gzip hashlib heapq hmac html http importlib inspect io ipaddress itertools json keyword
  linecache locale logging lzma math mimetypes multiprocessing numbers operator os pathlib pickle pkgutil platform posixpath
  pprint profile pytest queue random re reprlib sched secrets select shlex shutil signal site socket sqlite3 ssl stat
  statistics string struct subprocess symtable sys sysconfig tempfile textwrap threading time timeit token tokenize tomllib
  trace traceback tracemalloc types typing unicodedata unittest urllib uuid venv warnings wave weakref xml zipfile zlib zoneinfo`;
const standard = new Set(pythonModules.split(/\s+/u));

/** Folders that projects put on the module path, so that what lies there is found by its bare name. */
const sourceFolder = /^(?:src|lib|python)\//u;

/** A module or a package of Python that is found in place of one that comes with it. */
function shadowsStandard(path: string): boolean {
  if (!/\.(?:py|pyi|pyc)$/u.test(path)) return false;
  const name = moduleName(path.replace(sourceFolder, '')) ?? '';
  return standard.has(name.replace(/\/__init__$/u, ''));
}

/** A new file that a loader would find in place of a protected one (measured: it does). */
function shadows(base: Tree, path: string): boolean {
  const name = moduleName(path);
  if (name === null) return false;
  if (shadowsStandard(path)) return true;
  const own = new Set([name, name.replace(packageFile, ''), `${name}/index`, `${name}/__init__`]);
  for (const other of base.keys()) {
    const stem = moduleName(other);
    if (stem === null || other === path) continue;
    if (own.has(stem)) return true;
  }
  return false;
}

function createReasons(contract: Contract, base: Tree, entry: TreeEntry): Reason[] {
  const { path } = entry;
  const fitting = contract.create.filter(({ glob }) => globPattern(glob).test(path));
  if (fitting.length === 0) {
    const added = reason('path.added', path, 'a new path');
    return contract.create.length === 0
      ? [added]
      : [added, reason('create.glob', path, 'no create glob fits')];
  }
  const reasons: Reason[] = [];
  if (entry.kind !== 'file')
    reasons.push(reason('create.kind', path, `a new ${entry.kind}, expected a plain file`));
  if (isNeverEditable(path) && !isOverridden(contract, path)) {
    reasons.push(reason('create.protected', path, 'a name that is never created'));
  }
  if (shadows(base, path))
    reasons.push(reason('create.shadow', path, 'a module that would be loaded for another'));
  if (fitting.every(({ max_bytes }) => entry.size > max_bytes)) {
    reasons.push(reason('create.cap', path, `${entry.size} bytes are more than the glob allows`));
  }
  return reasons;
}

function countReasons(contract: Contract, added: readonly TreeEntry[]): Reason[] {
  return contract.create.flatMap(({ glob, max_files }) => {
    const pattern = globPattern(glob);
    const extra = added.filter(({ path }) => pattern.test(path)).slice(max_files);
    return extra.map(({ path }) =>
      reason('create.cap', path, `more than ${max_files} new files fit "${glob}"`),
    );
  });
}

/** Whether the contract lets a path of the base go. */
const isDeletable = (contract: Contract, path: string) =>
  contract.delete.includes(path) && (!isNeverEditable(path) || isOverridden(contract, path));

function changeReasons(before: TreeEntry, after: TreeEntry): Reason[] {
  if (before.kind === after.kind) return [];
  const { path } = before;
  const code = isPlainFile(before.kind) && isPlainFile(after.kind) ? 'path.mode' : 'path.kind';
  return [reason(code, path, `${before.kind} became ${after.kind}`)];
}

/** What the step does to the list of paths: added, removed, of another kind or mode. Contents are not looked at. */
export function pathReasons(contract: Contract, base: Tree, candidate: Tree): Reason[] {
  const added = [...candidate.values()].filter(({ path }) => !base.has(path));
  const reasons = added.flatMap((entry) => createReasons(contract, base, entry));
  for (const before of base.values()) {
    const after = candidate.get(before.path);
    if (after) reasons.push(...changeReasons(before, after));
    else if (!isDeletable(contract, before.path))
      reasons.push(reason('path.removed', before.path, 'a path of the base is gone'));
  }
  return [...reasons, ...countReasons(contract, added)];
}
