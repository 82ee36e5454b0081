import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Thread } from '../../schemas/thread.ts';
import type { Fixture, FixtureThread } from './fixture.ts';

const PACK = join(import.meta.dirname, '../../seeds/token-bucket');

const asFixture = (thread: Thread): FixtureThread => ({
  number: thread.number,
  kind: thread.kind,
  title: thread.title,
  body: thread.body,
  by: thread.author,
  labels: thread.labels,
  closes: thread.closes,
  mergeCommit: thread.mergeCommit,
  comments: thread.comments.map(({ author, createdAt, body }) => ({
    by: author,
    at: createdAt,
    body,
  })),
});

/** The threads of the bundled pack as GitHub would hold them. */
export function packFixture(): Fixture {
  const lines = readFileSync(join(PACK, 'threads.jsonl'), 'utf8').trim().split('\n');
  const threads = lines.map((line) => asFixture(Thread.parse(JSON.parse(line))));
  return { owner: 'demo', name: 'token-bucket', threads };
}

/** The history of the bundled pack as a bare repository in an empty folder. */
export function packRepository(folder: string): string {
  mkdirSync(folder, { recursive: true });
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', folder]);
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], {
    input: readFileSync(join(PACK, 'history.fi')),
  });
  return folder;
}
