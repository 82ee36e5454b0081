import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openGit } from '../../../pipeline/repos/git.ts';
import type { GitCommit, Repo } from '../../../stages/context.ts';
import { git, type TempCommit, tempFolder, tempRepo } from '../../support/temp-repo.ts';

const read = async (repo: Repo, max = 100): Promise<GitCommit[]> => {
  const commits: GitCommit[] = [];
  for await (const commit of repo.commits({ ref: 'HEAD', max })) commits.push(commit);
  return commits;
};
const open = (path: string) => openGit({ path });
const history = (...commits: TempCommit[]) => open(tempRepo(commits));

describe('commits', () => {
  test('come newest first, each with its place from the oldest', async () => {
    const repo = await history(
      { message: 'one', files: { a: '1' } },
      { message: 'two', files: { a: '2' } },
      { message: 'three', files: { b: '3' } },
    );
    const commits = await read(repo, 2);
    expect(commits.map(({ message, position }) => [message, position])).toEqual([
      ['three', 2],
      ['two', 1],
    ]);
    expect(commits[0]?.changes).toMatchObject([{ path: 'b', before: null, afterMode: '100644' }]);
  });

  test('a merge has the whole merged change and its branch stays out of the line', async () => {
    const repo = await history(
      { message: 'base', files: { a: '1' } },
      { message: 'work', branch: 'topic', from: 'main', files: { b: '1' } },
      { message: 'more', branch: 'topic', files: { c: '1' } },
      { message: 'elsewhere', files: { a: '2' } },
      {
        message: 'Merge pull request #3 from ada/topic',
        merges: 'topic',
        files: { b: '1', c: '1' },
      },
    );
    const commits = await read(repo);
    expect(commits.map(({ message }) => message)).not.toContain('more');
    expect(commits[0]?.changes.map(({ path }) => path)).toEqual(['b', 'c']);
    expect(commits[0]?.parents).toHaveLength(2);
  });

  test('a rename is a deletion and a new file', async () => {
    const repo = await history(
      { message: 'one', files: { old: 'same text\n' } },
      { message: 'two', files: { old: null, new: 'same text\n' } },
    );
    const [{ changes } = { changes: [] }] = await read(repo);
    expect(
      changes.map(({ path, before, after }) => [path, before === null, after === null]),
    ).toEqual([
      ['new', true, false],
      ['old', false, true],
    ]);
  });

  test.each([
    ['a line break', 'a\nb'],
    ['a quote and a backslash', 'a"\\b'],
    ['what looks like a change', ':100644 100644 a b M'],
    ['trailing blanks', 'a  '],
    ['the mark of a commit', '\x01x'],
  ])('a path with %s comes back unharmed', async (_, path) => {
    const repo = await history({ message: 'one', files: { [path]: 'x', plain: 'y' } });
    expect((await read(repo))[0]?.changes.map((change) => change.path)).toContain(path);
    expect((await repo.tree('HEAD')).map((entry) => entry.path)).toContain(path);
    expect(await repo.blame('HEAD', path)).toEqual([repo.head]);
  });

  test('two paths that are no UTF-8 stay two', async () => {
    const repo = await history({ message: 'one', files: { 'caf\xe9': 'x', 'caf\xe8': 'y' } });
    const paths = (await repo.tree('HEAD')).map(({ path }) => path);
    expect(paths).toEqual(['caf\udce8', 'caf\udce9']);
    await expect(repo.blame('HEAD', 'caf\udce9')).rejects.toMatchObject({ code: 'git-failed' });
  });

  test('a submodule is a change of kind 160000 whose object is not here', async () => {
    const commit = 'a'.repeat(40);
    const repo = await history({
      message: 'one',
      files: { dep: { mode: '160000', data: commit } },
    });
    expect((await read(repo))[0]?.changes).toMatchObject([
      { path: 'dep', afterMode: '160000', after: commit },
    ]);
    await expect(repo.blob(commit)).rejects.toMatchObject({ code: 'source-unreadable' });
  });

  test('leaving early ends the process and the next question is answered', async () => {
    const repo = await history({ message: 'one', files: { a: '1' } }, { message: 'two' });
    for await (const commit of repo.commits({ ref: 'HEAD', max: 5 })) {
      expect(commit.message).toBe('two');
      break;
    }
    expect(await read(repo)).toHaveLength(2);
  });
});

describe('blobs', () => {
  test.each([
    ['CRLF and no last line end', Buffer.from('a\r\nb')],
    ['bytes that are no text', Buffer.from([0, 255, 10, 13, 10, 128])],
    ['nothing', Buffer.alloc(0)],
    ['three megabytes', Buffer.alloc(3_000_000, 'line\n')],
  ])('come back byte for byte: %s', async (_, content) => {
    const repo = await history({ message: 'one', files: { a: content } });
    const [entry] = await repo.tree('HEAD');
    expect(Buffer.from(await repo.blob(entry?.oid ?? '')).equals(content)).toBe(true);
    await repo.close();
  });

  test('many at once are answered in order, and a missing one hurts no other', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `f${at}`);
    const repo = await history({
      message: 'one',
      files: Object.fromEntries(names.map((n) => [n, n])),
    });
    const tree = await repo.tree('HEAD');
    const lost = expect(repo.blob('0'.repeat(40))).rejects.toMatchObject({
      code: 'source-unreadable',
    });
    const texts = await Promise.all(
      tree.map(async ({ oid }) => Buffer.from(await repo.blob(oid)).toString()),
    );
    expect(texts).toEqual(tree.map(({ path }) => path));
    await lost;
  });
});

test('blame names the commit of the first-parent line, a merge for what its branch brought', async () => {
  const repo = await history(
    { message: 'base', files: { a: 'one\ntwo\nthree\n' } },
    { message: 'work', branch: 'topic', from: 'main', files: { a: 'one\nTWO\nthree\n' } },
    { message: 'merge', merges: 'topic', files: { a: 'one\nTWO\nthree\n' } },
  );
  const [merge, base] = (await read(repo)).map(({ hash }) => hash);
  expect(await repo.blame('HEAD', 'a')).toEqual([base, merge, base]);
});

describe('a source that cannot be read says why', () => {
  test.each([
    ['no such folder', () => join(tempFolder(), 'nothing'), 'source-unreadable'],
    ['a plain folder', () => tempFolder(), 'source-not-git'],
    ['a file', () => file(), 'source-not-git'],
    ['a folder inside a repository', () => inside(), 'source-not-git'],
    ['an unborn branch', () => unborn(), 'source-unborn'],
  ])('%s', async (_, path, code) => {
    await expect(open(path())).rejects.toMatchObject({ name: 'Fault', code });
  });

  test('a commit that is nowhere', async () => {
    const repo = await history({ message: 'one' });
    await expect(repo.tree('f'.repeat(40))).rejects.toMatchObject({ code: 'source-unreadable' });
  });

  test('a shallow clone gives what it has, then names the missing commit', async () => {
    const full = tempRepo([1, 2, 3, 4].map((n) => ({ message: `c${n}`, files: { a: `${n}` } })));
    const clone = join(tempFolder(), 'shallow');
    git('/', ['clone', '--quiet', '--depth=2', `file://${full}`, clone]);
    const repo = await open(clone);
    expect((await read(repo, 1)).map(({ message }) => message)).toEqual(['c4']);
    await expect(read(repo)).rejects.toMatchObject({
      code: 'source-shallow',
      message: expect.stringContaining('at most 1 commits'),
    });
    const first = git(full, ['rev-parse', 'HEAD~3']).trim();
    await expect(repo.tree(first)).rejects.toMatchObject({ code: 'source-shallow' });
  });
});

function file(): string {
  const path = join(tempFolder(), 'file');
  writeFileSync(path, 'x');
  return path;
}

function inside(): string {
  const top = tempFolder();
  git(top, ['init', '--quiet']);
  mkdirSync(join(top, 'sub'));
  return join(top, 'sub');
}

function unborn(): string {
  const top = tempFolder();
  git(top, ['init', '--quiet']);
  return top;
}
