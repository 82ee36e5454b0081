import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { Thread } from '../../schemas/thread.ts';
import { Fault } from '../../stages/fault.ts';

/** A line of the archive that was not taken, and why; lines from 1. */
export type ThreadProblem = {
  readonly line: number;
  readonly kind: 'not-json' | 'not-a-thread' | 'too-long' | 'duplicate';
  readonly detail: string;
};

const MAX_LINE = 32 * 1024 * 1024;

/**
 * Threads of an archive in its order, one line in memory at a time. A bad line and a second thread of one number
 * are named to `onProblem` and left out; the first thread of a number stays. Fault `archive-unreadable` for the file itself.
 */
export async function* readThreads(
  path: string,
  onProblem: (problem: ThreadProblem) => void,
): AsyncGenerator<Thread> {
  const seen = new Set<number>();
  let line = 0;
  for await (const bytes of lines(path)) {
    line += 1;
    const read = readLine(bytes);
    if (read === null) continue;
    if ('kind' in read && 'detail' in read) onProblem({ line, ...read });
    else if (seen.has(read.number)) onProblem({ line, ...duplicate(read.number) });
    else {
      seen.add(read.number);
      yield read;
    }
  }
}

const duplicate = (number: number) =>
  ({ kind: 'duplicate', detail: `thread ${number} stands further up` }) as const;

type Problem = Omit<ThreadProblem, 'line'>;

/** null for an empty line. */
function readLine(bytes: Buffer | 'too-long'): Thread | Problem | null {
  if (bytes === 'too-long') return { kind: 'too-long', detail: `more than ${MAX_LINE} bytes` };
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.trim() === '') return null;
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'not-json', detail: error instanceof Error ? error.message : String(error) };
  }
  const thread = Thread.safeParse(value);
  if (thread.success) return thread.data;
  return { kind: 'not-a-thread', detail: z.prettifyError(thread.error).split('\n').join(' ') };
}

/** Lines as bytes; one that is too long is dropped while it streams by. */
async function* lines(path: string): AsyncGenerator<Buffer | 'too-long'> {
  let parts: Buffer[] = [];
  let size = 0;
  const flush = () => (size > MAX_LINE ? 'too-long' : Buffer.concat(parts));
  const add = (piece: Buffer) => {
    size += piece.length;
    if (size > MAX_LINE) parts = [];
    else parts.push(piece);
  };
  for await (const chunk of chunks(path)) {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, at));
      yield flush();
      parts = [];
      size = 0;
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (size > 0) yield flush();
}

async function* chunks(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path) as AsyncIterable<Buffer>;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === undefined) throw cause;
    throw new Fault(`thread archive ${path} failed: ${code}. Name a readable threads.jsonl.`, {
      code: 'archive-unreadable',
      cause,
    });
  }
}
