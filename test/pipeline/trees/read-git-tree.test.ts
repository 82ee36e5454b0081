import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTrees } from '../../../pipeline/trees/open-tree.ts';
import type { ReadOptions } from '../../../pipeline/trees/tree-on-hand.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { git, scratch } from '../../support/solver-copy.ts';

/** One content, as a folder and as a commit. */
function bothPlaces(files: Readonly<Record<string, string>>) {
  const folder = scratch();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, 'init', '-q');
  git(folder, 'add', '-A', '-f');
  git(folder, 'commit', '-q', '-m', 'all');
  const trees = openTrees();
  onTestFinished(() => trees.close());
  const places = [folder, `git:${folder}@HEAD`];
  const read = async (options: ReadOptions) =>
    await Promise.all(
      places.map(async (place) => {
        const found = await trees.open(place, options);
        if ('problems' in found) return found.problems.map(({ code, path }) => [code, path]);
        return { paths: found.entries.map(({ path }) => path), discarded: found.discarded };
      }),
    );
  return { folder, trees, read };
}

const same = (value: unknown) => [value, value];

test('a folder and a git tree obey the same exclusions, discards and limits', async () => {
  const { read } = bothPlaces({
    'a.ts': 'x'.repeat(30),
    'coverage/x.json': '{}',
    'node_modules/a/index.js': '1',
  });
  const options = { excludeDirs: ['node_modules'], discard: ['coverage/**'] };
  expect(await read(options)).toEqual(same({ paths: ['a.ts'], discarded: ['coverage/x.json'] }));
  expect(await read({ ...options, isCandidate: true })).toEqual(
    same([['tree.excluded', 'node_modules']]),
  );
  expect(await read({ ...options, maxBytes: 29 })).toEqual(same([['tree.too-large', 'a.ts']]));
  expect(await read({ ...options, maxChangedBytes: 29 })).toEqual(
    same([['tree.too-large', 'a.ts']]),
  );
  const base = [{ path: 'a.ts', kind: 'file', size: 30, sha256: sha256('') }] as const;
  expect(await read({ ...options, base, maxChangedBytes: 29 })).toEqual(
    same({ paths: ['a.ts'], discarded: ['coverage/x.json'] }),
  );
});

test('a file whose text is the name of a submodule is still read', async () => {
  const commit = '7'.repeat(40);
  const { folder, trees } = bothPlaces({ pin: commit });
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${commit},third/x`);
  const found = await trees.open(`git:${folder}@${git(folder, 'write-tree').trim()}`, {});
  expect('read' in found && found.read(sha256(commit))).toEqual(Buffer.from(commit));
});

test.each(['.GIT', 'git~1', '.git .', '.g\u200cit', 'a\\b', 'x\u0001', 'x\u007f'])(
  'the name %j is refused for one reason in a folder and in a git tree',
  async (name) => {
    const folder = scratch();
    git(folder, 'init', '-q');
    writeFileSync(join(folder, name), '');
    const blob = git(folder, 'hash-object', '-w', '-t', 'blob', '/dev/null').trim();
    const input = `100644 blob ${blob}\t${name}\0`;
    const tree = execFileSync('git', ['-C', folder, 'mktree', '-z'], { input, encoding: 'utf8' });
    const trees = openTrees();
    onTestFinished(() => trees.close());
    const [disk, object] = [
      await trees.open(folder, {}),
      await trees.open(`git:${folder}@${tree.trim()}`, {}),
    ];
    const code = /[gG]/u.test(name) ? 'tree.git-path' : 'tree.path';
    expect(disk).toMatchObject({ problems: [{ code, path: name }] });
    expect(object).toEqual(disk);
  },
);

test('replaced objects, filters and line ends of the repository change nothing', async () => {
  const { folder, trees } = bothPlaces({ 'a.txt': 'one\n' });
  const names = async () => {
    const found = await trees.open(`git:${folder}@HEAD`, {});
    return 'problems' in found ? found.problems : found.entries.map((entry) => entry.sha256);
  };
  expect(await names()).toEqual([sha256('one\n')]);
  writeFileSync(join(folder, '.git/in'), 'two\n');
  const two = git(folder, 'hash-object', '-w', join(folder, '.git/in')).trim();
  git(folder, 'replace', git(folder, 'rev-parse', 'HEAD:a.txt').trim(), two);
  git(folder, 'config', 'core.autocrlf', 'true');
  git(folder, 'config', 'filter.f.smudge', 'echo other');
  writeFileSync(join(folder, '.git/info/attributes'), '* filter=f eol=crlf\n');
  expect(git(folder, 'cat-file', 'blob', 'HEAD:a.txt')).toBe('two\n');
  expect(await names()).toEqual([sha256('one\n')]);
});

test.each(['git:/nowhere@HEAD', '/nowhere'])('%s is a mistake of the user', async (place) => {
  const trees = openTrees();
  onTestFinished(() => trees.close());
  await expect(trees.open(place, {})).rejects.toThrow(/DIR/u);
});

test('a name that no object has is a mistake of the user', async () => {
  const { folder, trees } = bothPlaces({ a: '' });
  await expect(trees.open(`git:${folder}@nothing`, {})).rejects.toThrow(/names no commit or tree/u);
});
