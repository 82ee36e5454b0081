import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostEnvironment } from '../../pipeline/env.ts';

const CLI = fileURLToPath(new URL('../../pipeline/cli.ts', import.meta.url));

/** How a process of ours ended; `signal` is null unless it was killed. */
export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

type World = { readonly cwd: string; readonly env?: Readonly<Record<string, string>> };

/** Start the program as a user does, in a folder of theirs. */
export function startCli(
  args: readonly string[],
  { cwd, env = {} }: World,
): { readonly child: ChildProcess; readonly ended: Promise<Ended>; stderr(): string } {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    // Starts after the first one of a test need not compile us again.
    env: { ...hostEnvironment(), HOME: cwd, NODE_COMPILE_CACHE: join(cwd, 'node-cache'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...said }));
  });
  return { child, ended, stderr: () => said.stderr };
}

/** Run the program to its end. */
export const cli = (args: readonly string[], world: World): Promise<Ended> =>
  startCli(args, world).ended;

/** The summary object that `--json` prints last. */
export const summaryIn = (stdout: string): Record<string, unknown> =>
  JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
