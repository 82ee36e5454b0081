import type { Readable } from 'node:stream';
import type { GitCommit } from '../../stages/context.ts';
import { pathText } from './path-text.ts';

type Change = GitCommit['changes'][number];
type Draft = Omit<GitCommit, 'position'>;

/** Six fields, each ended by NUL; neither a message nor a name of git can hold one. Mark 0x01 begins a commit. */
export const LOG_FORMAT = '--format=%x01%H%x00%P%x00%an%x00%aI%x00%cI%x00%B';

const FIELDS = 6;

/** The pieces between NULs, as bytes. Memory is bounded by the longest piece. */
export async function* pieces(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}

/** Commits from `git log -z --raw` with `LOG_FORMAT`. Paths are read by position, so none can look like a mark. */
export async function* parseLog(stream: Readable): AsyncGenerator<Draft> {
  const parts = pieces(stream)[Symbol.asyncIterator]();
  const next = async () => (await parts.next()).value as Buffer | undefined;
  let piece = await next();
  while (piece !== undefined) {
    const fields = [piece.subarray(1)];
    while (fields.length < FIELDS) fields.push((await next()) ?? Buffer.alloc(0));
    const changes: Change[] = [];
    piece = await next();
    while (piece !== undefined && piece[0] !== 1) {
      changes.push(parseChange(piece.toString('latin1').trim(), (await next()) ?? Buffer.alloc(0)));
      piece = await next();
    }
    yield commitOf(fields, changes);
  }
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
