import { execFile } from 'node:child_process';
import { access, constants, realpath } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { failedWith } from './world.ts';

/** The host's tools that boxes share. */
export type Toolchain = {
  /** The Node that runs us. */
  readonly node: string;
  /** Folder of the npm package, null where the host has none. */
  readonly npm: string | null;
  /** Python's own home, behind shims and virtual environments; null where the host has none. */
  readonly python: { readonly prefix: string; readonly program: string } | null;
  /** Folders of further languages, each with the folder of its programs; none that the standard folders show anyway. */
  readonly homes: readonly Home[];
};

type Home = { readonly prefix: string; readonly bin: string };

/** Where programs are looked for when nothing else is said. */
export const STANDARD_PATH = '/usr/local/bin:/usr/bin:/bin';

/** The first executable of that name in a list of folders. */
export async function findOnPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter((entry) => entry.startsWith('/'))) {
    const file = join(folder, name);
    try {
      await access(file, constants.X_OK);
      return file;
    } catch (error) {
      if (!failedWith(error, 'ENOENT', 'ENOTDIR', 'EACCES')) throw error;
    }
  }
  return null;
}

const run = promisify(execFile);
const ASK = 'import sys; print(sys.base_prefix); print("python%d.%d" % sys.version_info[:2])';

async function findPython(host: Readonly<Record<string, string>>): Promise<Toolchain['python']> {
  const shim = await findOnPath('python3', host.PATH ?? STANDARD_PATH);
  if (shim === null) return null;
  const { stdout } = await run(shim, ['-c', ASK], { env: { ...host, PYTHONHOME: '' } });
  const [prefix = '', name = 'python3'] = stdout.trim().split('\n');
  return { prefix, program: join(prefix, 'bin', name) };
}

async function findNpm(path: string): Promise<string | null> {
  const file = await findOnPath('npm', path);
  if (file === null) return null;
  const program = await realpath(file);
  return program.endsWith('/bin/npm-cli.js') ? dirname(dirname(program)) : null;
}

/** Programs of further languages, by which their folders are found. */
const FURTHER = ['go', 'cargo', 'java', 'mvn'];

/** rustup's programs choose a toolchain by the tree and download what is missing; a box gets the default one itself. */
async function sysroot(rustup: string, host: Readonly<Record<string, string>>): Promise<string> {
  try {
    const { stdout } = await run(join(dirname(rustup), 'rustc'), ['--print', 'sysroot'], {
      env: { ...host },
    });
    return join(stdout.trim(), 'bin', 'cargo');
  } catch {
    return rustup;
  }
}

async function findHome(
  name: string,
  host: Readonly<Record<string, string>>,
): Promise<readonly Home[]> {
  const path = host.PATH ?? STANDARD_PATH;
  const found = await findOnPath(name, path);
  if (found === null || STANDARD_PATH.split(delimiter).includes(dirname(found))) return [];
  const isRustup = name === 'cargo' && (await realpath(found)).endsWith('/rustup');
  const program = isRustup ? await sysroot(found, host) : await realpath(found);
  const bin = dirname(program);
  return [{ prefix: dirname(bin), bin }];
}

async function findHomes(host: Readonly<Record<string, string>>): Promise<readonly Home[]> {
  const found = await Promise.all(FURTHER.map((name) => findHome(name, host)));
  return found.flat().filter((one, at, all) => all.findIndex(({ bin }) => bin === one.bin) === at);
}

/** Find what the host has; `host` are its environment variables, whose PATH is searched. */
export async function findToolchain(host: Readonly<Record<string, string>>): Promise<Toolchain> {
  const [python, npm, homes] = await Promise.all([
    findPython(host),
    findNpm(host.PATH ?? STANDARD_PATH),
    findHomes(host),
  ]);
  return { node: process.execPath, npm, python, homes };
}

/** The names under which a box offers the tools, each with the file it stands for. */
export function toolLinks({
  node,
  npm,
  python,
}: Toolchain): readonly (readonly [string, string])[] {
  const ofNpm =
    npm === null
      ? []
      : ([
          ['npm', `${npm}/bin/npm-cli.js`],
          ['npx', `${npm}/bin/npx-cli.js`],
        ] as const);
  const ofPython =
    python === null
      ? []
      : ([
          ['python3', python.program],
          ['python', python.program],
        ] as const);
  return [['node', node], ...ofNpm, ...ofPython];
}
