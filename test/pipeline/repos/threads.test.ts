import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readThreads, type ThreadProblem } from '../../../pipeline/repos/threads.ts';
import { tempFolder } from '../../support/temp-repo.ts';

const line = (number: number, title = `t${number}`) =>
  JSON.stringify({
    number,
    kind: 'issue',
    title,
    body: 'ü',
    author: 'ada',
    state: 'open',
    createdAt: '2026-01-01T00:00:00Z',
  });

async function read(content: string | Uint8Array) {
  const path = join(tempFolder(), 'threads.jsonl');
  writeFileSync(path, content);
  const problems: ThreadProblem[] = [];
  const titles: string[] = [];
  for await (const { title } of readThreads(path, (problem) => problems.push(problem)))
    titles.push(title);
  return { titles, problems: problems.map(({ line: at, kind }) => `${at} ${kind}`) };
}

test('bad lines are named by number and the rest is read', async () => {
  const content = [line(1), '{"number": 2', '', '{"number": 3}', '42', line(4)].join('\r\n');
  expect(await read(content)).toEqual({
    titles: ['t1', 't4'],
    problems: ['2 not-json', '4 not-a-thread', '5 not-a-thread'],
  });
});

test('of two threads with one number the first stays and the second is named', async () => {
  expect(await read([line(1, 'first'), line(2), line(1, 'second')].join('\n'))).toEqual({
    titles: ['first', 't2'],
    problems: ['3 duplicate'],
  });
});

test('bytes that are no UTF-8 spoil their line alone', async () => {
  const content = Buffer.concat([
    Buffer.from(`${line(1)}\n"`),
    Buffer.from([0xff]),
    Buffer.from(`"\n${line(2)}\n`),
  ]);
  expect(await read(content)).toEqual({ titles: ['t1', 't2'], problems: ['2 not-json'] });
});

test('a line beyond all measure is dropped while it streams by', async () => {
  const content = Buffer.concat([
    Buffer.alloc(33 * 1024 * 1024, 'x'),
    Buffer.from(`\n${line(2)}\n`),
  ]);
  expect(await read(content)).toEqual({ titles: ['t2'], problems: ['1 too-long'] });
});

test('a file that cannot be read is a fault', async () => {
  const reading = readThreads(join(tempFolder(), 'none.jsonl'), () => undefined).next();
  await expect(reading).rejects.toMatchObject({ name: 'Fault', code: 'archive-unreadable' });
});
