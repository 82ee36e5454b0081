import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Thread } from '../../../schemas/thread.ts';

/** How far an online mining came: everything up to `cursor` lies in the first `bytes` of the part file. */
const State = z.strictObject({
  state: z.literal(1),
  repository: z.string(),
  url: z.string(),
  since: z.string().nullable(),
  phase: z.enum(['issues', 'pulls', 'done']),
  cursor: z.string().nullable(),
  bytes: z.number().int().nonnegative(),
  threads: z.number().int().nonnegative(),
  /** Parts that the host could not read, by place and reason. */
  problems: z.array(z.string()),
});
export type State = z.infer<typeof State>;

/** The archive of one repository while it is written: what is kept is kept, whenever the program ends. */
export type ArchiveParts = {
  readonly archive: string;
  /** Null at the beginning, or where the state cannot be read. */
  load(): State | null;
  keep(threads: readonly Thread[], next: Omit<State, 'bytes'>, before: number): State;
  /** Sorts by number, the newest reading of a thread wins, and puts the archive in its place. */
  finish(state: State): State;
};

/** `folder` holds `threads.jsonl` in the end; an archive that lies there before is what a later reading is laid over. */
export function openParts(folder: string): ArchiveParts {
  mkdirSync(folder, { recursive: true });
  const [archive, part, stateFile] = ['threads.jsonl', 'threads.part', 'state.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const write = (state: State) => {
    writeFileSync(`${stateFile}.new`, JSON.stringify(state));
    renameSync(`${stateFile}.new`, stateFile);
    return state;
  };
  return {
    archive,
    load: () => (existsSync(stateFile) ? stateOf(readFileSync(stateFile, 'utf8')) : null),
    keep(threads, next, before) {
      // A page that was written and not noted is read again.
      if (!existsSync(part)) writeFileSync(part, '');
      truncateSync(part, before);
      appendFileSync(part, threads.map((thread) => `${JSON.stringify(thread)}\n`).join(''));
      syncFile(part);
      return write({ ...next, bytes: statSync(part).size });
    },
    finish(state) {
      mergeInto(archive, [archive, part].filter(existsSync));
      rmSync(part, { force: true });
      return write({ ...state, phase: 'done', cursor: null, bytes: 0 });
    },
  };
}

function stateOf(text: string): State | null {
  try {
    return State.parse(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    return null;
  }
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

type Line = { readonly from: number; readonly start: number; readonly length: number };
const CHUNK = 1024 * 1024;
const HEAD_BYTES = 32;
/** We write the number first, so it is found without reading the line. */
const HEAD = /^\{"number":(\d+)/u;

/** Where the lines of a file end, one chunk in memory at a time. */
function* lineEnds(file: number): Generator<number> {
  const chunk = Buffer.alloc(CHUNK);
  for (let at = 0; ; ) {
    const read = readSync(file, chunk, 0, CHUNK, at);
    if (read === 0) return;
    const bytes = chunk.subarray(0, read);
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1))
      yield at + end + 1;
    at += read;
  }
}

/** Where each line of a file lies, by the number of its thread. */
function indexLines(file: number, from: number, index: Map<number, Line>): void {
  const head = Buffer.alloc(HEAD_BYTES);
  let start = 0;
  for (const end of lineEnds(file)) {
    const read = readSync(file, head, 0, HEAD_BYTES, start);
    const [, number] = HEAD.exec(head.toString('latin1', 0, read)) ?? [];
    if (number !== undefined) index.set(Number(number), { from, start, length: end - start });
    start = end;
  }
}

/** One archive of several files, by number; of two readings of a thread the one in the later file stands. */
function mergeInto(target: string, files: readonly string[]): void {
  const open = files.map((path) => openSync(path, 'r'));
  const index = new Map<number, Line>();
  for (const [from, file] of open.entries()) indexLines(file, from, index);
  const draft = `${target}.new`;
  const out = openSync(draft, 'w');
  for (const [, { from, start, length }] of [...index].toSorted(([one], [two]) => one - two)) {
    const bytes = Buffer.alloc(length);
    readSync(open[from] ?? 0, bytes, 0, length, start);
    writeSync(out, bytes);
  }
  fsyncSync(out);
  for (const file of [...open, out]) closeSync(file);
  renameSync(draft, target);
}
