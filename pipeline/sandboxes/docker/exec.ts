import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Exit } from '../../../stages/context.ts';
import type { Command, Limits } from '../host/backend.ts';
import { cappedOutput } from '../host/capped-output.ts';
import { GRACE_MS, MAX_OUTPUT_BYTES } from '../host/run-command.ts';
import { cancelled } from '../host/world.ts';
import { lostBox } from './client.ts';
import { demultiplex } from './frames.ts';

/** Ends what a command left running, as a namespace of its own would; PID 1 and the shell itself are spared. */
const WRAPPER = ['/bin/sh', '-c', '"$@"; code=$?; kill -KILL -1 2>/dev/null; exit $code', 'sh'];
const POLL_MS = 250;
/** Nothing of a command that ended is left to hold its output open, so a daemon that does not end it either is stuck. */
const OUTPUT_END_MS = 10_000;

type Stream = NodeJS.ReadWriteStream & { destroy(): void };

/** Ask until the daemon names a number: the stream's end does not say that the command ended, nor how. */
async function exitCode(
  exec: Docker.Exec,
  streamEnd: Promise<boolean>,
  stop: AbortSignal,
): Promise<number> {
  for (;;) {
    await Promise.race([streamEnd, sleep(POLL_MS)]);
    if (stop.aborted) throw cancelled(stop);
    const { Running, ExitCode } = await exec.inspect();
    if (!Running && ExitCode !== null) return ExitCode;
    await sleep(20);
  }
}

/** How a command of a container is ended and its container looked at. */
export type Hold = {
  kill(): Promise<void>;
  isRunning(): Promise<boolean>;
  /** Whether something in it was ended for want of memory since its last start. */
  isStarved(): Promise<boolean>;
};

/** Run one command in a running container. At its limit, or on abort, the whole container is killed. */
export async function execInContainer(
  container: Docker.Container,
  command: Command,
  limits: Limits,
  hold: Hold,
  signal: AbortSignal,
): Promise<Exit> {
  if (signal.aborted) throw cancelled(signal);
  const hasInput = limits.stdin !== undefined;
  const exec = await container.exec({
    AttachStdin: hasInput,
    AttachStdout: true,
    AttachStderr: true,
    Env: Object.entries(command.env).map(([name, value]) => `${name}=${value}`),
    WorkingDir: command.cwd,
    Cmd: [...WRAPPER, ...command.argv],
  });
  const stream = await exec.start({ hijack: true, stdin: hasInput });
  try {
    const isLimited = command.most.memoryBytes !== undefined;
    return await attend(exec, stream, { ...limits, isLimited }, hold, signal);
  } finally {
    stream.destroy();
  }
}

async function attend(
  exec: Docker.Exec,
  stream: Stream,
  { isLimited, ...limits }: Limits & { readonly isLimited: boolean },
  hold: Hold,
  signal: AbortSignal,
): Promise<Exit> {
  const max = limits.maxOutputBytes ?? MAX_OUTPUT_BYTES;
  const sinks = { stdout: cappedOutput(max), stderr: cappedOutput(max) };
  const streamEnd = demultiplex(stream, sinks);
  if (limits.stdin !== undefined) stream.end(limits.stdin);
  const asked = (stop: AbortSignal) => exitCode(exec, streamEnd, stop);
  const { code, timedOut } = await limited(asked, limits.timeoutMs, hold, signal);
  const patienceMs = timedOut || signal.aborted ? GRACE_MS : OUTPUT_END_MS;
  const isWhole = await Promise.race([streamEnd, sleep(patienceMs, false, { ref: false })]);
  if (signal.aborted) throw cancelled(signal);
  const isStarved = !timedOut && (await hadTooLittle(hold, code, isLimited));
  if (!timedOut && !isStarved) await requireWhole(hold, code, isWhole);
  const droppedBytes = sinks.stdout.dropped() + sinks.stderr.dropped();
  const output = { stdout: sinks.stdout.bytes(), stderr: sinks.stderr.bytes(), droppedBytes };
  const end = timedOut ? { code: null, signal: 'SIGKILL' } : { code, signal: null };
  return { ...end, timedOut, ...output, ...(isStarved ? { outOf: 'memory' as const } : {}) };
}

/** The kernel's kill by SIGKILL. */
const KILLED = 137;

/** Asking costs a command of its own, so only where the answer may be yes. */
const hadTooLittle = async (hold: Hold, code: number, isLimited: boolean): Promise<boolean> =>
  (code === KILLED || (code !== 0 && isLimited)) && (await hold.isStarved());

/** 137 is the candidate's own kill, or the end of the whole box; only the daemon can tell. */
async function requireWhole(hold: Hold, code: number, isWhole: boolean): Promise<void> {
  const isGone = code === KILLED && !(await hold.isRunning());
  if (isGone) throw lostBox('its container ended during a command');
  if (!isWhole) throw lostBox('the daemon cut the output of a command short');
}

/** The command's code, and whether its limit ended it. */
async function limited(
  asked: (stop: AbortSignal) => Promise<number>,
  timeoutMs: number,
  hold: Hold,
  signal: AbortSignal,
): Promise<{ readonly code: number; readonly timedOut: boolean }> {
  const stop = new AbortController();
  const ended = asked(stop.signal);
  const over = sleep(timeoutMs, 'limit' as const, { signal: stop.signal }).catch(
    () => 'limit' as const,
  );
  const aborted = new Promise<'abort'>((resolve) => {
    signal.addEventListener('abort', () => resolve('abort'), { once: true, signal: stop.signal });
  });
  try {
    const first = await Promise.race([ended, over, aborted]);
    if (typeof first === 'number') return { code: first, timedOut: false };
    await hold.kill();
    return { code: await ended, timedOut: first === 'limit' };
  } finally {
    stop.abort();
  }
}
