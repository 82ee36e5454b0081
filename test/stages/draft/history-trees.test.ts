import { describe, expect, test } from 'vitest';
import { historyTrees } from '../../../stages/draft/history-trees.ts';
import { readTree } from '../../../stages/trees/trees.ts';
import { storyContext } from '../../support/context.ts';
import { type CommitFiles, memoryRepo } from '../../support/memory-repo.ts';
import { spec } from '../../support/woven.ts';

/** What the trees of a group hold; `group` numbers the commits whose changes are the seeds. */
async function draftOrConflict(commits: readonly CommitFiles[], group: readonly number[]) {
  const { context, ledger } = await storyContext({ merges: true });
  const { repo, seed } = memoryRepo(commits);
  const trees = await historyTrees(group.map(seed), spec, repo, context);
  if ('conflict' in trees) return { conflict: trees.conflict };
  const text = (sha256: string) => Buffer.from(ledger.get(sha256)).toString('latin1');
  const filesOf = (tree: string) =>
    Object.fromEntries(
      readTree(ledger, tree).map(({ path, kind, sha256 }) => [
        path,
        kind === 'file' ? text(sha256) : `${kind} ${text(sha256)}`,
      ]),
    );
  return {
    conflict: null,
    gold: trees.gold,
    files: trees.files,
    regression: trees.regression,
    base: filesOf(trees.base),
    parts: trees.gold.map(({ after }) => filesOf(after)),
    overlay: trees.overlay.map(({ path, sha256 }) => [path, text(sha256)]),
  };
}

async function draft(commits: readonly CommitFiles[], group: readonly number[]) {
  const drafted = await draftOrConflict(commits, group);
  if (drafted.conflict !== null) throw new Error(drafted.conflict);
  return drafted;
}

const lines = (first: string, middle: string, last: string) =>
  `${first}\n1\n2\n3\n${middle}\n4\n5\n6\n${last}\n`;

describe('base and gold of a group', () => {
  test('are the head without the group, then its changes one by one', async () => {
    const drafted = await draft(
      [
        { 'src/a.ts': lines('a', 'm', 'z') },
        { 'src/a.ts': lines('A', 'm', 'z') },
        { 'src/a.ts': lines('A', 'm', 'Z') },
      ],
      [1, 2],
    );
    expect(drafted.base).toEqual({ 'src/a.ts': lines('a', 'm', 'z') });
    expect(drafted.parts).toEqual([
      { 'src/a.ts': lines('A', 'm', 'z') },
      { 'src/a.ts': lines('A', 'm', 'Z') },
    ]);
    expect(drafted.gold).toMatchObject([
      { id: 'g1', needs: ['R1'] },
      { id: 'g2', needs: ['R2'] },
    ]);
  });

  test('keep an unrelated commit that lies between', async () => {
    const drafted = await draft(
      [
        { 'src/a.ts': lines('a', 'm', 'z') },
        { 'src/a.ts': lines('A', 'm', 'z') },
        { 'src/a.ts': lines('A', 'M', 'z'), 'src/b.ts': 'new\n', 'package.json': '{}' },
        { 'src/a.ts': lines('A', 'M', 'Z'), 'src/b.ts': 'new\n', 'package.json': '{}' },
      ],
      [1, 3],
    );
    expect(drafted.base).toEqual({
      'src/a.ts': lines('a', 'M', 'z'),
      'src/b.ts': 'new\n',
      'package.json': '{}',
    });
  });

  test('refuse a group whose diffs do not come out, by seed and path', async () => {
    const commits = [{ 'src/a.ts': '1\n' }, { 'src/a.ts': '2\n' }, { 'src/a.ts': '3\n' }];
    expect(
      await draftOrConflict([...commits, { 'src/a.ts': '3\n', 'src/b.ts': 'b' }], [1, 3]),
    ).toEqual({
      conflict: 's1 does not come out of src/a.ts',
    });
  });

  test.each<[string, CommitFiles, CommitFiles, Record<string, string>]>([
    ['an added file is absent from the base', {}, { 'src/n.ts': 'x' }, {}],
    ['a deleted file stands in the base', { 'src/o.ts': 'x' }, {}, { 'src/o.ts': 'x' }],
    [
      'a renamed file has its old name',
      { 'src/o.ts': 'x' },
      { 'src/n.ts': 'x' },
      { 'src/o.ts': 'x' },
    ],
    [
      'an executable bit is taken back',
      { 'src/r.ts': 'x' },
      { 'src/r.ts': ['100755', 'x'] },
      { 'src/r.ts': 'x' },
    ],
    [
      'a binary file is the older one',
      { 'src/d.bin': new Uint8Array([0, 1]) },
      { 'src/d.bin': new Uint8Array([0, 2]) },
      { 'src/d.bin': '\u0000\u0001' },
    ],
    [
      'line ends of CRLF stay',
      { 'src/c.ts': 'a\r\nb\r\n' },
      { 'src/c.ts': 'a\r\nB\r\n' },
      { 'src/c.ts': 'a\r\nb\r\n' },
    ],
    [
      'a link points where it did',
      { 'src/l': ['120000', 'a'] },
      { 'src/l': ['120000', 'b'] },
      { 'src/l': 'link a' },
    ],
  ])('%s', async (_, before, after, base) => {
    const keep = { 'src/k.ts': 'kept' };
    const drafted = await draft(
      [
        { ...keep, ...before },
        { ...keep, ...after },
        { ...keep, ...after, 'src/z.ts': 'z' },
      ],
      [1, 2],
    );
    expect(drafted.base).toEqual({ ...keep, ...base });
    expect(Object.keys(drafted.parts[1] ?? {})).toEqual(
      [...Object.keys(keep), ...Object.keys(after), 'src/z.ts'].toSorted(),
    );
  });
});

describe('tests of the group', () => {
  const history: readonly CommitFiles[] = [
    { 'src/a.ts': '1\n', 'test/a.test.ts': 'old\n', 'test/keep.test.ts': 'k' },
    { 'src/a.ts': '2\n', 'test/a.test.ts': 'old\nfirst\n', 'test/keep.test.ts': 'k' },
    {
      'src/a.ts': '2\n',
      'src/b.ts': 'b\n',
      'test/a.test.ts': 'old\nfirst\n',
      'test/b.test.ts': 'second\n',
      'test/helpers/h.ts': 'h',
      'test/keep.test.ts': 'k',
    },
  ];

  test('are hidden from base and gold; what was there before stands again', async () => {
    const drafted = await draft(history, [1, 2]);
    const seen = { 'test/a.test.ts': 'old\n', 'test/keep.test.ts': 'k' };
    expect(drafted.base).toEqual({ 'src/a.ts': '1\n', ...seen });
    expect(drafted.parts[1]).toEqual({ 'src/a.ts': '2\n', 'src/b.ts': 'b\n', ...seen });
  });

  test('are laid over every run as they stand at the head; helpers are laid but not run', async () => {
    const drafted = await draft(history, [1, 2]);
    expect(drafted.overlay).toEqual([
      ['test/a.test.ts', 'old\nfirst\n'],
      ['test/b.test.ts', 'second\n'],
      ['test/helpers/h.ts', 'h'],
    ]);
    expect(drafted.files).toEqual(['test/a.test.ts', 'test/b.test.ts']);
    expect(drafted.regression).toEqual(['test/keep.test.ts']);
  });

  test('that do not come out are shown as the oldest seed found them', async () => {
    const drafted = await draft(
      [
        { 'src/a.ts': '1', 'test/a.test.ts': 'zero\n' },
        { 'src/a.ts': '2', 'test/a.test.ts': 'one\n' },
        { 'src/a.ts': '2', 'test/a.test.ts': 'between\n' },
        { 'src/a.ts': '2', 'src/b.ts': 'b', 'test/a.test.ts': 'two\n' },
      ],
      [1, 3],
    );
    expect(drafted.base['test/a.test.ts']).toBe('zero\n');
  });
});

describe('documents of the group', () => {
  test('are taken out as far as they come out, other files stay', async () => {
    const drafted = await draft(
      [
        { 'src/a.ts': '1', 'README.md': 'r\n', CHANGELOG: 'c\n' },
        { 'src/a.ts': '2', 'README.md': 'r\ntold\n', CHANGELOG: 'one\n', 'tool.cfg': 'x' },
        { 'src/a.ts': '2', 'README.md': 'r\ntold\n', CHANGELOG: 'between\n', 'tool.cfg': 'x' },
        {
          'src/a.ts': '2',
          'src/b.ts': 'b',
          'README.md': 'r\ntold\n',
          CHANGELOG: 'two\n',
          'tool.cfg': 'x',
        },
      ],
      [1, 3],
    );
    expect(drafted.base).toMatchObject({ 'README.md': 'r\n', CHANGELOG: 'two\n', 'tool.cfg': 'x' });
  });
});
