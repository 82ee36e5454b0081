import { type ChildProcessByStdio, execFile, execFileSync, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { Fault } from '../../stages/fault.ts';

/** One finished git command; output in bytes, because names and contents need not be text. */
type GitExit = {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
};

export type GitChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** Git bound to one repository folder, with nothing of the host in it. */
export type Git = {
  readonly gitDir: string;
  start(args: readonly string[]): GitChild;
  /** Runs to the end. Any exit code is returned; a git that cannot start is a Fault. */
  run(args: readonly string[], stdin?: Uint8Array): Promise<GitExit>;
  /** The output of a command that must exit with 0; a Fault `git-failed` otherwise. */
  read(args: readonly string[], stdin?: Uint8Array): Promise<Buffer>;
  /** The same for a caller that cannot wait. Throws a Fault `git-failed`. */
  readNow(args: readonly string[]): Buffer;
};

/**
 * Settings that outrank the repository's own config, each of which could run a program or change output:
 * hooks, file monitor, signature check; `core.bare` keeps every work tree and its attributes out of sight.
 */
const SETTINGS = [
  'core.bare=true',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'diff.algorithm=myers',
  'diff.orderFile=/dev/null',
  'log.showSignature=false',
  'log.showRoot=true',
];

/**
 * An allow-list: no variable of the user's shell reaches git. Objects are read as they are (no replacements, no grafts),
 * a partial clone fetches nothing behind our back (no protocol is allowed), and paths are never patterns.
 */
const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_AUTHOR_NAME: 'codespecweave',
  GIT_AUTHOR_EMAIL: 'codespecweave@invalid',
  GIT_COMMITTER_NAME: 'codespecweave',
  GIT_COMMITTER_EMAIL: 'codespecweave@invalid',
} as const;

/** The longest output that Node holds in one piece for a caller that waits. */
const MOST = 2 ** 31 - 1;

/** The absolute path of git, found as the user's shell finds it; git itself then runs without the user's PATH. */
export async function locateGit(): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('sh', ['-c', 'command -v git']);
    return stdout.trim();
  } catch (cause) {
    throw new Fault('git failed: no git on PATH. Install git.', { code: 'git-failed', cause });
  }
}

/** Bind git to a repository folder. `extra` adds variables, for instance a ceiling for discovery. */
export function bindGit(
  program: string,
  gitDir: string,
  signal?: AbortSignal,
  extra: Readonly<Record<string, string>> = {},
): Git {
  const fixed = [`--git-dir=${gitDir}`, ...SETTINGS.flatMap((line) => ['-c', line])];
  const place = { cwd: '/', env: { ...ENVIRONMENT, ...extra } };
  const start = (args: readonly string[]): GitChild =>
    spawn(program, [...fixed, ...args], {
      ...place,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    });
  const run = (args: readonly string[], stdin?: Uint8Array) => finish(start(args), args, stdin);
  return {
    gitDir,
    start,
    run,
    async read(args, stdin) {
      const { code, stdout, stderr } = await run(args, stdin);
      if (code !== 0) throw gitFault(args, stderr || `exit ${code}`);
      return stdout;
    },
    readNow(args) {
      try {
        const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
        return execFileSync(program, [...fixed, ...args], { ...place, maxBuffer: MOST, stdio });
      } catch (cause) {
        throw gitFault(args, String(cause), cause);
      }
    },
  };
}

/** A Fault for a git command, with git's last line of complaint. */
export function gitFault(args: readonly string[], stderr: string, cause?: unknown): Fault {
  const reason = stderr.trim().split('\n').at(-1) ?? '';
  return new Fault(`git ${args[0]} failed: ${reason}`, { code: 'git-failed', cause });
}

/** Wait for a child and collect its output. A broken pipe on stdin is not an error by itself; the exit code tells. */
async function finish(
  child: GitChild,
  args: readonly string[],
  stdin?: Uint8Array,
): Promise<GitExit> {
  const closed = whenClosed(child);
  child.stdin.on('error', () => child.stdin.destroy());
  child.stdin.end(stdin);
  const output = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  const { code, error } = await closed;
  if (error) expectZero({ code, error }, args, '');
  return { code, stdout: output[0], stderr: output[1].toString('utf8') };
}

/** How a child ended. Settles always, so that nobody has to be listening when an abort comes. */
export type GitEnd = { readonly code: number | null; readonly error: Error | null };

/** The end of a child: its exit code once all pipes are closed, or why it could not run. */
export function whenClosed(child: GitChild): Promise<GitEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, error }));
    child.once('close', (code) => resolve({ code, error: null }));
  });
}

/** Throws unless the child ended with 0. An abort passes as AbortError. */
export function expectZero({ code, error }: GitEnd, args: readonly string[], stderr: string): void {
  if (error?.name === 'AbortError') throw error;
  if (error) throw gitFault(args, error.message, error);
  if (code !== 0) throw gitFault(args, stderr || `exit ${code}`);
}
