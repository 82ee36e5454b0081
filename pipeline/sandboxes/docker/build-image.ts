import { Readable } from 'node:stream';
import { z } from 'zod';
import { type Daemon, statusOf } from './client.ts';

/** What a build is made of: an archive with the Dockerfile in it, and the name that the image gets. */
export type ImageBuild = {
  readonly archive: Uint8Array;
  /** Path of the Dockerfile in the archive. */
  readonly dockerfile: string;
  readonly name: string;
  readonly buildArgs: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
};

/** A build that failed says at which step, and what that printed last. */
export type ImageBuilt =
  | { readonly ok: true }
  | { readonly ok: false; readonly step: string; readonly tail: string };

const LAST_LINES = 12;
const FIRST_STEP = 'reading the Dockerfile';
const Record = z.object({ stream: z.string().optional(), error: z.string().optional() });
const STEP = /^Step \d+\/\d+ : (.*)$/;

/** What the daemon says of its own work between the lines of a step. */
const OF_DAEMON = /^(?: ---> |Removing intermediate container )/;

/** Follows a build's records: the step it is at, its last lines, and whether it failed. */
function follow(log: (line: string) => void) {
  let [step, error, rest] = [FIRST_STEP, '', ''];
  const last: string[] = [];
  function takeLine(line: string) {
    if (line.trim() === '') return;
    log(line);
    const next = STEP.exec(line)?.[1];
    if (next === undefined && !OF_DAEMON.test(line)) last.push(line);
    else if (next !== undefined) [step] = [next, last.splice(0)];
    if (last.length > LAST_LINES) last.shift();
  }
  return {
    take(value: unknown) {
      const record = Record.safeParse(value).data;
      error ||= record?.error ?? '';
      const lines = (rest + (record?.stream ?? '')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) takeLine(line);
    },
    end(): ImageBuilt {
      takeLine(rest);
      return error === '' ? { ok: true } : { ok: false, step, tail: [...last, error].join(' | ') };
    },
  };
}

/** The daemon reads the Dockerfile before it answers, and refuses one that it cannot read. */
async function started({ docker }: Daemon, build: ImageBuild) {
  const { archive, dockerfile, name, buildArgs, signal } = build;
  try {
    return await docker.buildImage(Readable.from([Buffer.from(archive)]), {
      dockerfile,
      t: name,
      buildargs: buildArgs,
      networkmode: 'host',
      forcerm: true,
      version: '1',
      abortSignal: signal,
    });
  } catch (error) {
    if (statusOf(error) === 400 && error instanceof Error) return error.message.trim();
    throw error;
  }
}

/**
 * Build an image with the network of this machine. The daemon's answer is a stream that ends well also when a step failed, so the
 * records are what counts. Throws what the daemon throws.
 */
export async function buildImage(daemon: Daemon, build: ImageBuild): Promise<ImageBuilt> {
  const answer = await started(daemon, build);
  if (typeof answer === 'string') return { ok: false, step: FIRST_STEP, tail: answer };
  const reading = follow(build.log);
  await new Promise<void>((resolve, reject) => {
    daemon.docker.modem.followProgress(
      answer,
      (error) => (error instanceof Error && !isTold(error) ? reject(error) : resolve()),
      (record) => reading.take(record),
    );
  });
  return reading.end();
}

/** A failed step ends the progress with an error of its own; its record was heard before. */
const isTold = (error: Error) => !('code' in error) || typeof error.code === 'number';
