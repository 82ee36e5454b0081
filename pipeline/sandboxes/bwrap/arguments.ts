import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import type { Opening } from '../host/backend.ts';
import { namedPaths, networkFiles } from '../host/host-paths.ts';
import { SCRATCH_MODULES } from '../host/kept-deps.ts';
import type { Places } from '../host/pins.ts';
import { isRootWritable, placesInOrder, type ReadOnly } from '../host/read-only.ts';
import { type Toolchain, toolLinks } from '../host/toolchain.ts';
import { procArguments } from './proc.ts';

/** Folders as every bwrap box shows them. */
const TOOLS = '/opt/csw';
const INSIDE = { workdir: '/testbed', outside: '/csw', deps: '/deps', tmp: '/tmp' };
const STANDARD = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

const bind = (from: string, to = from) => ['--ro-bind', from, to];

/** The host's system folders; on a merged /usr the short names are links and stay so. */
function system(): string[] {
  const roots = ['bin', 'sbin', ...readdirSync('/').filter((name) => /^lib\w*$/.test(name))];
  const shown = roots.map((name) => {
    const path = `/${name}`;
    if (!existsSync(path)) return [];
    return lstatSync(path).isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : bind(path);
  });
  return [...bind('/usr'), ...shown.flat()];
}

const NEEDED_OF_ETC =
  /^(alternatives|ca-certificates|debian_version|java-.+|ld\.so\.(cache|conf|conf\.d)|magic|maven|mime\.types|ocamlfind\.conf(\.d)?|os-release|perl|protocols|python3[.\d]*|services|terminfo)$/;

/** What programs need of /etc, and no more: it also holds keys and names of people. */
function etc(own: string): string[] {
  const names = readdirSync('/etc').filter((name) => NEEDED_OF_ETC.test(name));
  const certificates = ['/etc/ssl/certs', '/etc/ssl/openssl.cnf'].filter((path) =>
    existsSync(path),
  );
  const shown = [...names.map((name) => `/etc/${name}`), ...certificates];
  const ours = ['passwd', 'group', 'hosts', 'nsswitch.conf'];
  return [
    ...shown.flatMap((path) => bind(path)),
    ...ours.flatMap((name) => bind(`${own}/${name}`, `/etc/${name}`)),
  ];
}

/** The Node that runs us, npm and Python, wherever the host keeps them. */
function tools({ node, npm, python, homes }: Toolchain): string[] {
  const shown: Toolchain = { node: `${TOOLS}/node`, npm: npm && `${TOOLS}/npm`, python, homes };
  const isHidden = python !== null && !python.prefix.startsWith('/usr');
  return [
    ...bind(node, `${TOOLS}/node`),
    ...(npm === null ? [] : bind(npm, `${TOOLS}/npm`)),
    ...(isHidden ? bind(python.prefix) : []),
    ...homes.flatMap(({ prefix }) => (prefix.startsWith('/usr/') ? [] : bind(prefix))),
    ...toolLinks(shown).flatMap(([name, target]) => ['--symlink', target, `${TOOLS}/bin/${name}`]),
  ];
}

function dependencies({ deps, isInstall }: Opening): string[] {
  if (deps === null) return ['--dir', INSIDE.deps];
  if (isInstall) return ['--bind', deps, INSIDE.deps];
  const modules = `${deps}/node_modules`;
  // Node looks for packages in every folder above the importing file, so at the root for the work folder.
  return [
    ...bind(deps, INSIDE.deps),
    ...(existsSync(modules) ? bind(modules, '/node_modules') : []),
    ...(existsSync(`${modules}/${SCRATCH_MODULES}`)
      ? ['--tmpfs', `/node_modules/${SCRATCH_MODULES}`]
      : []),
  ];
}

/** Where a box has its folders, as commands in it see them. */
export function placesOf({ python, homes }: Toolchain): Places {
  const own = python === null ? [] : [`${python.prefix}/bin`];
  return {
    ...INSIDE,
    home: '/csw/home',
    path: [`${TOOLS}/bin`, ...own, ...homes.map(({ bin }) => bin), ...STANDARD],
  };
}

/** The arguments of a box with its work folder read-only, but for some places below it. */
export function withReadOnlyTree(
  box: readonly string[],
  folder: Opening['folder'],
  readOnly: ReadOnly,
): string[] {
  const at = box.indexOf(folder.workdir) - 1;
  const places = placesInOrder(readOnly).flatMap(({ path, isWritable }) => [
    isWritable ? '--bind' : '--ro-bind',
    `${folder.workdir}/${path}`,
    `${INSIDE.workdir}/${path}`,
  ]);
  return [
    ...box.slice(0, at),
    isRootWritable(readOnly) ? '--bind' : '--ro-bind',
    folder.workdir,
    INSIDE.workdir,
    ...places,
    ...box.slice(at + 3),
  ];
}

/** Arguments of one box, the same for all its commands; the root is empty but for what is named here. */
export function boxArguments(
  opening: Opening,
  toolchain: Toolchain,
  host: Readonly<Record<string, string>>,
): string[] {
  const { folder, isInstall } = opening;
  const forInstall = isInstall
    ? ['--share-net', ...[...networkFiles(), ...namedPaths(host)].flatMap((path) => bind(path))]
    : [];
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--hostname', 'csw', '--clearenv'],
    ...system(),
    ...etc(`${folder.root}/etc`),
    ...[...procArguments(), '--dev', '/dev', '--bind', folder.tmp, '/tmp'],
    ...['--tmpfs', '/root', '--tmpfs', '/home', '--tmpfs', '/run', '--symlink', '/tmp', '/var/tmp'],
    ...tools(toolchain),
    ...forInstall,
    ...['--bind', folder.workdir, INSIDE.workdir, '--bind', folder.outside, INSIDE.outside],
    ...dependencies(opening),
    ...['--remount-ro', '/'],
  ];
}
