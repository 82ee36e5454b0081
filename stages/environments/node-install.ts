import type { Package } from './package-json.ts';
import { type TreeFile, textOf } from './recipe.ts';

/** The package managers that are known by their lock files, in the order in which they are looked for. */
type Manager = 'npm' | 'pnpm' | 'yarn-classic' | 'yarn-berry';
type Lock = { readonly manager: Manager; readonly file: string };

const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', 'pnpm-workspace.yaml', '.pnpmfile.cjs'];
/** Folders that managers read while they install: patches of packages, plug-ins. */
const FOLDERS = ['patches', '.yarn/patches', '.yarn/plugins'];

function lockOf(files: readonly TreeFile[]): Lock | null {
  const isThere = (path: string) => files.some((file) => file.path === path);
  for (const file of ['package-lock.json', 'npm-shrinkwrap.json'])
    if (isThere(file)) return { manager: 'npm', file };
  if (isThere('pnpm-lock.yaml')) return { manager: 'pnpm', file: 'pnpm-lock.yaml' };
  const yarn = textOf(files, 'yarn.lock');
  if (yarn === null) return null;
  const isBerry = /^__metadata:/m.test(yarn);
  return { manager: isBerry ? 'yarn-berry' : 'yarn-classic', file: 'yarn.lock' };
}

/** The version that the tree asks for, else one that reads the lock. */
function versionOf(manager: Manager, files: readonly TreeFile[], { packageManager }: Package) {
  const name = manager.split('-')[0] ?? '';
  const [said, version] = packageManager?.split('@') ?? [];
  if (said === name && version !== undefined) return version;
  if (manager === 'yarn-classic') return '1';
  const file = manager === 'pnpm' ? 'pnpm-lock.yaml' : 'yarn.lock';
  const text = textOf(files, file) ?? '';
  if (manager === 'pnpm') return pnpmFor(/^lockfileVersion: *['"]?([\d.]+)/m.exec(text)?.[1]);
  return Number(/^ {2}version: (\d+)/m.exec(text)?.[1] ?? 8) >= 8 ? '4' : '3';
}

const pnpmFor = (lock: string | undefined) =>
  lock === undefined || Number(lock) >= 9 ? '10' : Number(lock) >= 6 ? '8' : '7';

/** The command of each manager that installs what a lock says, runs no script of any package and lays all in one folder. */
function frozenInstall(manager: Manager, version: string): string[] {
  const inDeps = (words: string, ...env: string[]) => [
    ...['env', '-C', '{deps}', ...env],
    ...words.split(' '),
  ];
  switch (manager) {
    case 'npm':
      return 'npm ci --prefix {deps} --ignore-scripts --no-audit --no-fund'.split(' ');
    case 'pnpm':
      return inDeps(
        `npx --yes pnpm@${version} install --frozen-lockfile --ignore-scripts --config.node-linker=hoisted`,
        'COREPACK_ENABLE_STRICT=0',
        'npm_config_manage_package_manager_versions=false',
      );
    case 'yarn-classic':
      return inDeps(
        `npx --yes yarn@${version} install --frozen-lockfile --ignore-scripts --non-interactive`,
      );
    case 'yarn-berry':
      return inDeps(
        `npx --yes --package=@yarnpkg/cli-dist@${version} yarn install --immutable`,
        'YARN_NODE_LINKER=node-modules',
        'YARN_ENABLE_SCRIPTS=false',
        'YARN_ENABLE_TELEMETRY=0',
        'YARN_IGNORE_PATH=1',
      );
  }
}

/** A lock of our own making freezes what was resolved; its bytes are kept with the environment. */
const FREE_INSTALL =
  'npm install --prefix {deps} --ignore-scripts --no-audit --no-fund --package-lock';

/**
 * Packages of the workspace are links to the copies of their manifests, and have to lead to the tree that is tested.
 * Absolute, as the box sees both.
 */
const RELINK = `
const fs = require('fs'), path = require('path');
const [deps, tree] = process.argv.slice(1).map((folder) => fs.realpathSync(folder));
const modules = path.join(deps, 'node_modules');
const names = fs.existsSync(modules) ? fs.readdirSync(modules) : [];
for (const name of names.flatMap((one) => one[0] === '@' ? fs.readdirSync(path.join(modules, one)).map((two) => one + '/' + two) : [one])) {
  const link = path.join(modules, name);
  if (!fs.lstatSync(link).isSymbolicLink()) continue;
  const target = path.resolve(path.dirname(link), fs.readlinkSync(link));
  const inside = path.relative(deps, target);
  if (inside.startsWith('..') || inside.startsWith('node_modules')) continue;
  fs.unlinkSync(link);
  fs.symlinkSync(path.join(tree, inside), link);
}
`.trim();

/** Manifest, lock and settings go to the kept folder, where `node_modules` is found from the tree beside it. */
export function nodeInstall(files: readonly TreeFile[], known: Package): string[][] {
  const hasWorkspaces =
    known.hasWorkspaces || files.some(({ path }) => path === 'pnpm-workspace.yaml');
  if (known.packages.length === 0 && !hasWorkspaces) return [];
  const lock = lockOf(files);
  const names = [lock?.file ?? '', ...SETTINGS];
  const there = names.filter((name) => files.some(({ path }) => path === name));
  const members = hasWorkspaces ? manifestsBelow(files) : [];
  const folders = FOLDERS.filter((name) => files.some(({ path }) => path.startsWith(`${name}/`)));
  const copies = ['package.json', ...there, ...members, ...folders];
  const copy = folders.length + members.length === 0 ? ['cp'] : ['cp', '-r', '--parents'];
  const install =
    lock === null
      ? FREE_INSTALL.split(' ')
      : frozenInstall(lock.manager, versionOf(lock.manager, files, known));
  const relink = ['node', '-e', RELINK, '{deps}', '{workdir}'];
  return [[...copy, ...copies, '{deps}/'], install, ...(hasWorkspaces ? [relink] : [])];
}

const manifestsBelow = (files: readonly TreeFile[]) =>
  files
    .map(({ path }) => path)
    .filter(
      (path) => path.endsWith('/package.json') && !/(^|\/)(node_modules|fixtures?)\//.test(path),
    )
    .toSorted();
