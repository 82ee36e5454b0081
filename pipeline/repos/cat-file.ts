import { Fault } from '../../stages/fault.ts';
import type { Git, GitChild } from './git-process.ts';

type ObjectType = 'blob' | 'tree';

type Waiting = {
  readonly oid: string;
  readonly type: ObjectType;
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
};

/** Objects by name from one long-lived `git cat-file --batch`. */
export type ObjectReader = {
  blob(oid: string): Promise<Uint8Array>;
  /** The raw bytes of a tree object. */
  tree(oid: string): Promise<Uint8Array>;
  close(): Promise<void>;
};

/**
 * Open a reader; the process starts with the first question. `missing` names the Fault of an absent object.
 * The process is no reason for Node to stay: it is held only while an answer is awaited.
 */
export function openObjects(git: Git, missing: (oid: string) => Fault): ObjectReader {
  let batch: Batch | null = null;
  const ask = (oid: string, type: ObjectType) => {
    if (!/^[0-9a-f]{40,64}$/.test(oid)) return Promise.reject(missing(oid));
    batch ??= startBatch(git, missing, () => {
      batch = null;
    });
    return batch.ask(oid, type);
  };
  return {
    blob: (oid) => ask(oid, 'blob'),
    tree: (oid) => ask(oid, 'tree'),
    async close() {
      await batch?.end();
    },
  };
}

type Batch = { ask(oid: string, type: ObjectType): Promise<Uint8Array>; end(): Promise<void> };

function startBatch(git: Git, missing: (oid: string) => Fault, ended: () => void): Batch {
  const child = git.start(['cat-file', '--batch']);
  const queue: Waiting[] = [];
  const answers = answerParser();
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const fail = (error: Error) => {
    ended();
    for (const waiting of queue.splice(0)) waiting.reject(error);
  };
  child.once('error', fail);
  child.once('close', (code) => fail(new Fault(...lost(code))));
  child.stdin.on('error', () => child.stdin.destroy());
  child.stderr.resume();
  child.stdout.on('data', (chunk: Buffer) => {
    for (const answer of answers(chunk)) {
      const waiting = queue.shift();
      if (answer.kind !== 'missing' && answer.kind === waiting?.type) waiting.resolve(answer.bytes);
      else waiting?.reject(missing(waiting.oid));
    }
    if (queue.length === 0) hold(child, false);
  });
  return {
    ask: (oid, type) =>
      new Promise((resolve, reject) => {
        hold(child, true);
        queue.push({ oid, type, resolve, reject });
        child.stdin.write(`${oid}\n`);
      }),
    async end() {
      hold(child, true);
      child.stdin.end();
      await closed;
    },
  };
}

const lost = (code: number | null) =>
  [`git cat-file failed: ended with ${code}`, { code: 'git-failed' }] as const;

/** Keep Node alive for this child, or not. Pipes are sockets here, whatever their types say. */
function hold(child: GitChild, wanted: boolean): void {
  for (const handle of [child, child.stdin, child.stdout, child.stderr] as readonly unknown[]) {
    const { ref, unref } = handle as { ref?: () => void; unref?: () => void };
    (wanted ? ref : unref)?.call(handle);
  }
}

type Answer =
  | { readonly kind: ObjectType; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' };

/** Reads `<oid> <type> <size>\n<bytes>\n` and `<oid> missing\n` from chunks cut anywhere. */
function answerParser(): (chunk: Buffer) => Answer[] {
  let chunks: Buffer[] = [];
  let held = 0;
  let needed = 0;
  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    // Joining only when a whole answer can be there keeps a large object from being copied once per chunk.
    if (held < needed) return [];
    const { answers, rest, want } = takeAnswers(Buffer.concat(chunks, held));
    chunks = [rest];
    held = rest.length;
    needed = want;
    return answers;
  };
}

function takeAnswers(bytes: Buffer): { answers: Answer[]; rest: Buffer; want: number } {
  const answers: Answer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf(10, at);
    if (lineEnd === -1) return { answers, rest: bytes.subarray(at), want: 0 };
    const [, type, size] = bytes.toString('latin1', at, lineEnd).split(' ');
    if (type === 'missing') {
      answers.push({ kind: 'missing' });
      at = lineEnd + 1;
      continue;
    }
    const end = lineEnd + 1 + Number(size);
    if (bytes.length <= end) return { answers, rest: bytes.subarray(at), want: end + 1 - at };
    const body = bytes.subarray(lineEnd + 1, end);
    const isKnown = type === 'blob' || type === 'tree';
    answers.push(isKnown ? { kind: type, bytes: Uint8Array.from(body) } : { kind: 'missing' });
    at = end + 1;
  }
}
