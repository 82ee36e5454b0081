import type { Readable } from 'node:stream';
import type { GitCommit } from '../../stages/context.ts';
import { pathText } from './path-text.ts';

type Change = GitCommit['changes'][number];
type Draft = Omit<GitCommit, 'position'>;

/** Six fields, each ended by NUL; neither a message nor a name of git can hold one. Mark 0x01 begins a commit. */
export const LOG_FORMAT = '--format=%x01%H%x00%P%x00%an%x00%aI%x00%cI%x00%B';

const FIELDS = 6;

/** Cuts chunks at NULs; a piece that goes on in the next chunk waits for it. */
function cutter() {
  let rest: Buffer[] = [];
  return {
    take(chunk: Buffer): Buffer[] {
      const cut: Buffer[] = [];
      let from = 0;
      for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, from)) {
        const tail = chunk.subarray(from, at);
        cut.push(rest.length === 0 ? tail : Buffer.concat([...rest, tail]));
        if (rest.length > 0) rest = [];
        from = at + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
      return cut;
    },
    end: (): Buffer[] => (rest.length === 0 ? [] : [Buffer.concat(rest)]),
  };
}

/** The pieces between NULs, as bytes. Memory is bounded by the longest piece. */
export async function* pieces(stream: Readable): AsyncGenerator<Buffer> {
  const { take, end } = cutter();
  for await (const chunk of stream as AsyncIterable<Buffer>) yield* take(chunk);
  yield* end();
}

/** Puts the pieces of a log together; a commit is whole when the next one begins. */
function commitReader() {
  let fields: Buffer[] = [];
  let changes: Change[] = [];
  let meta: string | null = null;
  const take = (piece: Buffer): Draft | null => {
    if (meta !== null) {
      changes.push(parseChange(meta, piece));
      meta = null;
    } else if (fields.length === 0) fields = [piece.subarray(1)];
    else if (fields.length < FIELDS) fields.push(piece);
    else if (piece[0] === 1) {
      const whole = commitOf(fields, changes);
      [fields, changes] = [[piece.subarray(1)], []];
      return whole;
    } else meta = piece.toString('latin1').trim();
    return null;
  };
  return { take, end: () => (fields.length === 0 ? null : commitOf(fields, changes)) };
}

/**
 * Commits from `git log -z --raw` with `LOG_FORMAT`. Paths are read by position, so none can look like a mark. A chunk is taken apart at
 * once: to wait for each of its pieces would take as long as git does.
 */
export async function* parseLog(stream: Readable): AsyncGenerator<Draft> {
  const [cut, reader] = [cutter(), commitReader()];
  const whole = (found: readonly Buffer[]) => found.flatMap((piece) => reader.take(piece) ?? []);
  for await (const chunk of stream as AsyncIterable<Buffer>) yield* whole(cut.take(chunk));
  yield* whole(cut.end());
  const last = reader.end();
  if (last !== null) yield last;
}

function commitOf(fields: readonly Buffer[], changes: readonly Change[]): Draft {
  const [hash = '', parents = '', author = '', authoredAt = '', committedAt = '', message = ''] =
    fields.map((field) => field.toString('utf8'));
  return {
    hash,
    parents: parents.split(' ').filter((parent) => parent !== ''),
    author,
    authoredAt,
    committedAt,
    message,
    changes,
  };
}

/** `:100644 100755 <before> <after> M` and the path that follows it. */
function parseChange(meta: string, path: Buffer): Change {
  const [from = '', to = '', before = '', after = ''] = meta.slice(1).split(' ');
  return {
    path: pathText(path),
    before: present(before),
    after: present(after),
    beforeMode: present(from),
    afterMode: present(to),
  };
}

const present = (word: string): string | null => (/^0+$/.test(word) ? null : word);
