import type { Command, Streams } from '../../../pipeline/arguments.ts';
import { dispatch, type Verb } from '../../../pipeline/dispatch.ts';

/** What one command line printed and how it ended. */
export type Said = { readonly code: number; readonly stdout: string; readonly stderr: string };

type World = Partial<Pick<Streams, 'signal' | 'clock'>>;

/** Streams that keep what is written, as of a process without a terminal. */
function keptStreams(world: World = {}) {
  const kept = { stdout: '', stderr: '' };
  const streams: Streams = {
    stdout: { write: (text) => (kept.stdout += text) },
    stderr: { write: (text) => (kept.stderr += text) },
    signal: world.signal ?? new AbortController().signal,
    clock: world.clock ?? { now: () => 0, sleep: () => Promise.resolve() },
  };
  return { kept, streams };
}

/** Run a command line through the frame, in this process. */
export async function runCli(
  argv: readonly string[],
  verbs: Readonly<Record<string, Verb>>,
  world: World = {},
): Promise<Said> {
  const { kept, streams } = keptStreams(world);
  const code = await dispatch(argv, verbs, streams);
  return { code, ...kept };
}

/** A registry with one verb. */
export const only = (command: Command): Record<string, Verb> => ({
  [command.name]: { summary: command.summary, load: async () => command },
});
