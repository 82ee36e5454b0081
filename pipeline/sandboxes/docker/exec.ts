import { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Exit } from '../../../stages/context.ts';
import { Fault } from '../../../stages/fault.ts';
import type { Command, Limits } from '../host/backend.ts';
import { cappedOutput } from '../host/capped-output.ts';
import { GRACE_MS, MAX_OUTPUT_BYTES } from '../host/run-command.ts';
import { cancelled } from '../host/world.ts';

/** Ends what a command left running, as a namespace of its own would; PID 1 and the shell itself are spared. */
const WRAPPER = ['/bin/sh', '-c', '"$@"; code=$?; kill -KILL -1 2>/dev/null; exit $code', 'sh'];
const POLL_MS = 250;
/** The demultiplexer calls itself once per frame of a piece: a piece of 64 kB of tiny frames ends its stack. */
const PIECE_BYTES = 4096;

type Stream = NodeJS.ReadWriteStream & { destroy(): void };
type Sinks = Record<'stdout' | 'stderr', ReturnType<typeof cappedOutput>>;

/** Take the frames apart into the sinks; resolves when the daemon closes the stream, which proves nothing else. */
export function demultiplex(
  modem: Docker['modem'],
  stream: NodeJS.ReadableStream,
  sinks: Sinks,
): Promise<void> {
  const pieces = new Readable({ read: () => undefined });
  const into = ({ take }: Sinks['stdout']) =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        take(chunk);
        done();
      },
    });
  modem.demuxStream(pieces, into(sinks.stdout), into(sinks.stderr));
  stream.on('data', (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      pieces.emit('data', chunk.subarray(at, at + PIECE_BYTES));
    }
  });
  return new Promise((resolve) => {
    for (const event of ['end', 'close', 'error']) stream.on(event, () => resolve());
  });
}

/** Ask until the daemon names a number: the stream's end does not say that the command ended, nor how. */
async function exitCode(exec: Docker.Exec, streamEnd: Promise<void>): Promise<number> {
  for (;;) {
    await Promise.race([streamEnd, sleep(POLL_MS)]);
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
  const streamEnd = demultiplex(exec.modem, stream, sinks);
  if (limits.stdin !== undefined) stream.end(limits.stdin);
  const { code, timedOut } = await limited(
    exitCode(exec, streamEnd),
    limits.timeoutMs,
    hold,
    signal,
  );
  await Promise.race([streamEnd, sleep(GRACE_MS)]);
  if (signal.aborted) throw cancelled(signal);
  // 137 is the candidate's own kill, or the end of the whole box; only the daemon can tell.
  // Asking costs a command of its own, so only where the answer may be yes.
  const isSuspect = code === 137 || (code !== 0 && isLimited);
  const isStarved = isSuspect && !timedOut && (await hold.isStarved());
  if (code === 137 && !timedOut && !isStarved && !(await hold.isRunning())) throw lost();
  const droppedBytes = sinks.stdout.dropped() + sinks.stderr.dropped();
  const output = { stdout: sinks.stdout.bytes(), stderr: sinks.stderr.bytes(), droppedBytes };
  const end = timedOut ? { code: null, signal: 'SIGKILL' } : { code, signal: null };
  return { ...end, timedOut, ...output, ...(isStarved ? { outOf: 'memory' as const } : {}) };
}

const lost = () =>
  new Fault(
    'docker box lost: its container ended during a command. Run "pipeline doctor" and resume.',
    {
      code: 'sandbox-lost',
      retryable: true,
    },
  );

/** The command's code, and whether its limit ended it. */
async function limited(
  ended: Promise<number>,
  timeoutMs: number,
  hold: Hold,
  signal: AbortSignal,
): Promise<{ readonly code: number; readonly timedOut: boolean }> {
  const stop = new AbortController();
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
