import { describe, expect, test } from 'vitest';
import { funnelOf } from '../../stages/mine.ts';
import { change, code, codes, mine, thread } from '../support/mined.ts';
import type { TempCommit } from '../support/temp-repo.ts';

describe('histories of every style give seeds', () => {
  test('squash commits without threads', async () => {
    const { seeds } = await mine([
      { message: 'start the limiter here', files: change(1) },
      {
        message: 'feat: take returns two tokens at once (#7)',
        files: { ...change(2), 'docs/a.md': 'x' },
      },
    ]);
    const [seed] = seeds;
    expect(seed).toMatchObject({
      title: 'feat: take returns two tokens at once (#7)',
      threads: [7],
      rejections: [],
      statements: [{ kind: 'title', text: 'take returns two tokens at once' }],
      change: { position: 1, symbols: ['src/limit.ts#take'] },
      facts: { languages: ['typescript'], addedLines: 1, removedLines: 1, bot: false },
    });
    expect(seed?.change.source.map(({ path }) => path)).toEqual(['src/limit.ts']);
    expect(seed?.change.tests.map(({ path }) => path)).toEqual(['test/limit.test.ts']);
    expect(seed?.change.other.map(({ path }) => path)).toEqual(['docs/a.md']);
    expect(seed?.id).toBe(`limiter-${seed?.change.head.slice(0, 12)}`);
  });

  test('a merge takes its whole branch, tied to its pull request and the issues that this closed', async () => {
    const { seeds, docs } = await mine(
      [
        { message: 'start', files: change(1) },
        { message: 'wip', branch: 'topic', from: 'main', files: change(2) },
        {
          message: 'Merge pull request #9 from ada/topic\n\nPause the limiter',
          merges: 'topic',
          files: change(3),
        },
      ],
      [
        thread(5, {
          title: 'The limiter must be pausable',
          body: 'It should keep its tokens. See #3.',
        }),
        thread(6, { title: 'Resume must not lose a token' }),
        thread(9, {
          kind: 'pull',
          state: 'merged',
          title: 'Pause the limiter for a while',
          body: 'Fixes #6. A follow-up to #4.',
          closes: [5],
          mergedAt: '2023-02-01T00:00:00Z',
        }),
      ],
    );
    const [seed] = seeds;
    expect(seed?.title).toBe('Pause the limiter for a while');
    expect(seed?.threads).toEqual([5, 6, 9]);
    expect(seed?.links.map(({ to, kind, trust }) => `${to} ${kind} ${trust}`)).toEqual([
      '3 mention low',
      '4 follow-up low',
      '5 closing-reference high',
      '6 closing-text high',
    ]);
    expect(seed?.statements.map(({ doc }) => doc)).toEqual([
      'thread:5',
      'thread:5',
      'thread:6',
      'thread:9',
      `commit:${seed?.change.head}`,
    ]);
    expect(seed?.facts).toMatchObject({
      createdAt: '2023-01-01T00:00:00Z',
      mergedAt: '2023-02-01T00:00:00Z',
    });
    for (const { doc, start, end, quote } of seed?.statements ?? [])
      expect(docs.get(doc)?.slice(start, end)).toBe(quote);
  });

  test('a commit is found by its hash, though its message names no number', async () => {
    const commits = [
      { message: 'start', files: change(1) },
      { message: 'change', files: change(2) },
    ];
    const head = (await mine(commits)).seeds[0]?.change.head ?? '';
    const pull = thread(4, { kind: 'pull', title: 'Take two tokens at once', mergeCommit: head });
    expect((await mine(commits, [pull])).seeds[0]).toMatchObject({
      threads: [4],
      title: pull.title,
    });
  });

  test('a changelog entry is a statement in its own document', async () => {
    const { seeds, docs } = await mine([
      {
        message: 'start',
        files: { ...change(1), 'CHANGES.md': '# 1\n\n- there was this before\n' },
      },
      {
        message: 'x',
        files: {
          ...change(2),
          'CHANGES.md': '# 1\n\n- taking two tokens at once\n- there was this before\n',
        },
      },
    ]);
    const [statement] = seeds[0]?.statements ?? [];
    expect(statement).toMatchObject({ kind: 'changelog', text: 'taking two tokens at once' });
    expect(docs.get(statement?.doc ?? '')?.slice(statement?.start, statement?.end)).toBe(
      statement?.quote,
    );
  });
});

describe('every refusal has its code', () => {
  const good = 'take returns two tokens at once';
  test.each<[string, string, TempCommit]>([
    ['documents only', 'no-source-change', { message: good, files: { 'README.md': 'x' } }],
    ['no tests', 'no-test-change', { message: good, files: { 'src/limit.ts': code('take', '9') } }],
    ['nothing said', 'no-statement', { message: 'wip', files: change(2) }],
    ['a bot', 'bot-author', { message: good, author: 'renovate[bot]', files: change(2) }],
    ['a revert', 'revert', { message: `Revert "${good}"`, files: change(2) }],
    ['another language', 'unsupported-language', { message: good, files: { 'lib/limit.go': 'x' } }],
    [
      'binary source',
      'binary-only',
      { message: good, files: { 'src/data.ts': Buffer.from([0, 1]), 'test/a': 'x' } },
    ],
    [
      'far too much',
      'too-large',
      { message: good, files: { 'src/limit.ts': 'a;\n'.repeat(2000), 'test/a': 'x' } },
    ],
    [
      'a submodule',
      'no-source-change',
      { message: good, files: { 'src/dep.ts': { mode: '160000', data: 'a'.repeat(40) } } },
    ],
  ])('%s: %s', async (_, wanted, commit) => {
    const { seeds } = await mine([{ message: 'start', files: change(1) }, commit]);
    expect(codes(seeds[0])[0]).toBe(wanted);
    const funnel = funnelOf(seeds);
    expect(funnel.rejected[wanted]).toBeGreaterThanOrEqual(1);
    expect(Object.values(funnel.rejected).reduce((sum, n) => sum + n, funnel.usable)).toBe(
      funnel.commits,
    );
  });

  test('a merge that changes nothing', async () => {
    const { seeds } = await mine([
      { message: 'start', files: change(1) },
      { message: 'side', branch: 'topic', from: 'main', files: change(2) },
      { message: "Merge branch 'topic' with ours", merges: 'topic' },
    ]);
    expect(codes(seeds[0])[0]).toBe('merge-without-change');
  });
});

test('equal input gives equal seeds, and a shorter look gives the newest of them', async () => {
  const commits = [1, 2, 3].map((n) => ({
    message: `take returns ${n} tokens at once`,
    files: change(n),
  }));
  const [one, two, short] = [await mine(commits), await mine(commits), await mine(commits, [], 1)];
  expect(two.seeds).toEqual(one.seeds);
  expect(short.seeds).toEqual(one.seeds.slice(0, 1));
});

test('sources with CRLF or without UTF-8 are mined like others', async () => {
  const crlf = (n: number) => `export function take() {\r\n  return ${n};\r\n}\r\n`;
  const latin = (n: number) =>
    Buffer.from(`// \xe9\nexport function f\xfc() {\n  return ${n};\n}\n`, 'latin1');
  const { seeds } = await mine([
    { message: 'start', files: { 'src/a.ts': crlf(1), 'src/b.ts': latin(1), 'test/a': '1' } },
    {
      message: 'take returns two tokens at once',
      files: { 'src/a.ts': crlf(2), 'src/b.ts': latin(2), 'test/a': '2' },
    },
  ]);
  expect(seeds[0]).toMatchObject({ rejections: [], facts: { addedLines: 2, removedLines: 2 } });
  expect(seeds[0]?.change.symbols).toHaveLength(2);
});
