import type { CappedOutput } from '../host/capped-output.ts';

/** Eight bytes stand before each piece of output: the stream's number, three zeros, the length. */
const HEADER_BYTES = 8;
const STDERR = 2;

/** Where the two streams of a command go. */
export type Sinks = Readonly<Record<'stdout' | 'stderr', Pick<CappedOutput, 'take'>>>;

/** Takes the daemon's frames apart; `isWhole` says whether the last one that began also ended. */
function frameReader({ stdout, stderr }: Sinks) {
  const header = Buffer.alloc(HEADER_BYTES);
  let filled = 0;
  let left = 0;
  function take(chunk: Buffer, at: number): number {
    if (left === 0) {
      const taken = chunk.copy(header, filled, at, at + HEADER_BYTES - filled);
      filled += taken;
      if (filled < HEADER_BYTES) return taken;
      left = header.readUInt32BE(4);
      if (left === 0) filled = 0;
      return taken;
    }
    const body = chunk.subarray(at, at + left);
    (header[0] === STDERR ? stderr : stdout).take(body);
    left -= body.length;
    if (left === 0) filled = 0;
    return body.length;
  }
  return {
    take(chunk: Buffer): void {
      for (let at = 0; at < chunk.length; ) at += take(chunk, at);
    },
    isWhole: () => filled === 0,
  };
}

/**
 * Take the frames of a stream apart. Resolves to whether the daemon ended it in order; a daemon that dies, or a
 * connection that is cut, leaves part of the output, which must not pass for all of it.
 */
export function demultiplex(stream: NodeJS.ReadableStream, sinks: Sinks): Promise<boolean> {
  const frames = frameReader(sinks);
  stream.on('data', (chunk: Buffer) => frames.take(chunk));
  return new Promise((resolve) => {
    stream.on('end', () => resolve(frames.isWhole()));
    for (const event of ['close', 'error']) stream.on(event, () => resolve(false));
  });
}
