import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecOptions, Exit } from '../../../stages/context.ts';
import { boundary } from '../../../stages/fault.ts';
import { type CappedOutput, cappedOutput } from './capped-output.ts';
import { cancelled, failedWith } from './world.ts';

/** How long after its limit a command may take to be gone. */
export const GRACE_MS = 2000;
/** Per stream, where the caller names no bound. */
export const MAX_OUTPUT_BYTES = 2 * 1024 * 1024;

/** A program on the host, with nothing left to decide. `kill` ends all it started; pid is null once it has ended. */
export type Launch = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly kill: (pid: number) => void;
  /** Takes what the program tells us on descriptor 3, where it has one. */
  readonly control?: CappedOutput;
};

type Limits = Pick<ExecOptions, 'timeoutMs' | 'stdin' | 'maxOutputBytes'>;
type Ended = Pick<Exit, 'code' | 'signal'> & { readonly note?: string };
type Sinks = {
  readonly stdout: CappedOutput;
  readonly stderr: CappedOutput;
  readonly control?: CappedOutput | undefined;
};

function listen(child: ChildProcess, sinks: Sinks, stdin: Uint8Array | undefined): void {
  const third = child.stdio[3];
  if (third instanceof Readable) third.on('data', (chunk) => sinks.control?.take(chunk));
  child.stdout?.on('data', sinks.stdout.take);
  child.stderr?.on('data', sinks.stderr.take);
  // A command may end without reading its input; the broken pipe is its own business.
  child.stdin?.on('error', () => child.stdin?.destroy());
  child.stdin?.end(stdin);
}

/** A program that is not there or not executable is an answer, as a shell would give it. */
function unstartable(error: Error, { argv, cwd }: Launch): Ended {
  const missing = failedWith(error, 'ENOENT', 'ENOTDIR');
  if (!existsSync(cwd) || !(missing || failedWith(error, 'EACCES'))) throw error;
  const note = `${argv[0]}: ${missing ? 'not found' : 'permission denied'}\n`;
  return { code: missing ? 127 : 126, signal: null, note };
}

function ending(child: ChildProcess, launch: Launch): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      try {
        resolve(unstartable(error, launch));
      } catch (cause) {
        reject(cause);
      }
    });
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Wait until both pipes are drained; one that escaped the kill and holds them is not waited for. */
async function drained(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = sleep(GRACE_MS, undefined, { signal: timer.signal }).catch(() => undefined);
  await Promise.race([closed, late]);
  timer.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
  const third = child.stdio[3];
  if (third instanceof Readable) third.destroy();
}

/** Run a program to its end, its limit or the abort, whichever comes first; all it started ends with it. */
export async function runCommand(
  launch: Launch,
  limits: Limits,
  signal: AbortSignal,
): Promise<Exit> {
  if (signal.aborted) throw cancelled(signal);
  const what = `command "${launch.argv[0]}"`;
  return await boundary('sandbox-failed', what, () => supervise(launch, limits, signal));
}

async function supervise(launch: Launch, limits: Limits, signal: AbortSignal): Promise<Exit> {
  const [file = '', ...rest] = launch.argv;
  const max = limits.maxOutputBytes ?? MAX_OUTPUT_BYTES;
  const sinks = { stdout: cappedOutput(max), stderr: cappedOutput(max), control: launch.control };
  const input = limits.stdin === undefined ? 'ignore' : 'pipe';
  const { cwd, env, control } = launch;
  const extra = control === undefined ? [] : (['pipe'] as const);
  const stdio: StdioOptions = [input, 'pipe', 'pipe', ...extra];
  const child = spawn(file, rest, { cwd, env, detached: true, stdio });
  const closed = new Promise((resolve) => child.on('close', resolve));
  const ended = ending(child, launch);
  listen(child, sinks, limits.stdin);
  const { code, signal: by, note, timedOut } = await limited(child, ended, launch, limits, signal);
  await drained(child, closed);
  if (signal.aborted) throw cancelled(signal);
  if (note !== undefined) sinks.stderr.take(Buffer.from(note));
  const droppedBytes = sinks.stdout.dropped() + sinks.stderr.dropped();
  const output = { stdout: sinks.stdout.bytes(), stderr: sinks.stderr.bytes(), droppedBytes };
  return { code, signal: by, timedOut, ...output };
}

/** The command's own end, or the end that its limit or the run's abort made. */
async function limited(
  child: ChildProcess,
  ended: Promise<Ended>,
  { kill }: Launch,
  { timeoutMs }: Limits,
  signal: AbortSignal,
): Promise<Ended & { readonly timedOut: boolean }> {
  let timedOut = false;
  const killAll = () => {
    if (child.pid !== undefined) kill(child.pid);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    killAll();
  }, timeoutMs);
  signal.addEventListener('abort', killAll, { once: true });
  try {
    const end = await ended;
    // What the command left running would hold its pipes open and outlive it.
    killAll();
    return timedOut ? { code: null, signal: 'SIGKILL', timedOut } : { ...end, timedOut };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', killAll);
  }
}
