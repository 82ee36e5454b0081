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
};

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

/** Find what the host has; `host` are its environment variables, whose PATH is searched. */
export async function findToolchain(host: Readonly<Record<string, string>>): Promise<Toolchain> {
  const [python, npm] = await Promise.all([findPython(host), findNpm(host.PATH ?? STANDARD_PATH)]);
  return { node: process.execPath, npm, python };
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
