import { createHash } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDrafts } from '../../../pipeline/repos/drafts.ts';
import { readPack } from '../../../pipeline/repos/pack.ts';
import { tempFolder } from '../../support/temp-repo.ts';

const DRAFT = `draft: 1
id: pause-and-burst
threads: [3, 5]
requirements:
  - id: R1
    title: Idle time fills the bucket
    clauses:
      - id: R1.a
        text: Idle time accrues tokens up to burst.
        quotes:
          - { thread: 3, quote: idle time accrues tokens }
          - { thread: 3, comment: 2, quote: up to burst }
parts:
  - { id: g1, needs: [R1], dir: gold }
tests:
  dir: tests
  traces: { 'fills up': [R1.a] }
solos:
  - { requirement: R1, dir: solo }
probes:
  - { id: p1, clause: R1.a, file: probe.ts, path: test/probe.test.ts }
`;

const FILES = {
  'drafts/one/gold/src/limit.ts': 'gold',
  'drafts/one/gold/a.ts': 'a',
  'drafts/one/tests/test/limit.test.ts': 'tests',
  'drafts/one/solo/src/limit.ts': 'solo',
  'drafts/one/probe.ts': 'probe',
};

async function packWith(draft: string, files: Readonly<Record<string, string>> = FILES) {
  const folder = tempFolder();
  const pack = {
    pack: 1,
    name: 'limiter',
    title: 'A limiter',
    licence: 'MIT',
    history: 'history',
    threads: 'threads.jsonl',
    environment: {
      environment: 1,
      language: 'typescript',
      runner: 'node-test',
      testFiles: ['test/**'],
      sourceFiles: ['src/**'],
    },
    drafts: ['drafts/one'],
  };
  const all = { 'pack.json': JSON.stringify(pack), 'drafts/one/draft.yaml': draft, ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return readPack(folder);
}

const digest = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

test('files travel as digests, quotes name their documents', async () => {
  const kept = new Set<string>();
  const put = (content: Uint8Array) => {
    kept.add(digest(content));
    return digest(content);
  };
  const [draft] = await readDrafts(await packWith(DRAFT), put);
  expect(draft?.parts).toEqual([
    {
      id: 'g1',
      needs: ['R1'],
      files: [
        { path: 'a.ts', sha256: digest('a') },
        { path: 'src/limit.ts', sha256: digest('gold') },
      ],
      delete: [],
    },
  ]);
  expect(draft?.requirements[0]?.clauses[0]?.quotes).toEqual([
    { doc: 'thread:3', quote: 'idle time accrues tokens', seed: '' },
    { doc: 'thread:3#2', quote: 'up to burst', seed: '' },
  ]);
  expect(draft?.tests.traces).toEqual([{ test: 'fills up', clauses: ['R1.a'] }]);
  expect(draft?.base).toBe('HEAD');
  expect([...kept].toSorted()).toEqual(Object.values(FILES).map(digest).toSorted());
});

describe('what is wrong is named with file and field', () => {
  test.each([
    ['an unknown key', DRAFT.replace('threads:', 'thread:'), /draft\.yaml.*thread/],
    [
      'a wrong clause id',
      DRAFT.replace('id: R1.a\n', 'id: R1-a\n'),
      /draft\.yaml.*requirements\.0\.clauses\.0\.id/,
    ],
    ['a missing folder', DRAFT.replace('dir: gold', 'dir: silver'), /silver.*ENOENT/],
    ['broken YAML', DRAFT.replace('threads: [3, 5]', 'threads: [3, 5'), /draft\.yaml/],
    ['a double key', `${DRAFT}draft: 1\n`, /draft\.yaml.*once/],
    [
      'a path that leads out',
      DRAFT.replace('file: probe.ts', 'file: ../../../../../../etc/hosts'),
      /out of the pack/,
    ],
  ])('%s', async (_, draft, said) => {
    const pack = await packWith(draft);
    const reading = readDrafts(pack, digest);
    await expect(reading).rejects.toMatchObject({
      code: 'pack-unreadable',
      message: expect.stringMatching(said),
    });
  });

  test('a link in a folder', async () => {
    const pack = await packWith(DRAFT);
    symlinkSync('/etc/hosts', join(pack.folder, 'drafts/one/gold/link'));
    await expect(readDrafts(pack, digest)).rejects.toMatchObject({ code: 'pack-unreadable' });
  });
});
