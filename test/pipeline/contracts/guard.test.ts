import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, lines, place, regional } from '../../support/contract-verb.ts';

const git = (cwd: string, ...argv: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...argv], { cwd });

const bare =
  'contract: 1\nid: bare\neditable: [{file: a.ts, region: {start: "  // BEGIN", end: "  // END"}}]\n';

test('a contract that names no base is for the one that is pinned', async () => {
  const { file, tree } = place(bare);
  const [base, candidate] = [tree('b'), tree('c', { 'a.ts': lines('  return 2;\n') })];
  const argv = ['check', file, '--base', base, '--candidate', candidate, '--json'];
  const said = await call([...argv, '--pin-base']);
  expect([said.code, said.last]).toMatchObject([
    0,
    { verb: 'contract check', verdict: 'conforms' },
  ]);
  const unpinned = await call(argv);
  expect([unpinned.code, unpinned.err]).toEqual([2, expect.stringContaining('base')]);
});

test('a folder of a revision can be the base and the candidate', async () => {
  const { file, tree } = place(bare);
  const repo = tree('repo', { 'sub/a.ts': lines('  return 1;\n') });
  git(repo, 'init', '-q', '-b', 'main');
  git(repo, 'add', '.');
  git(repo, 'commit', '-q', '-m', 'one');
  writeFileSync(join(repo, 'sub/a.ts'), lines('  return 2;\n'));
  git(repo, 'commit', '-qam', 'two');
  const places = ['--base', `git:${repo}@HEAD~1:sub`, '--candidate', `git:${repo}@main:sub`];
  const { code, last } = await call(['check', file, ...places, '--pin-base', '--json']);
  expect([code, last.verdict]).toEqual([0, 'conforms']);
});

test('a path too long to be opened makes no candidate', async () => {
  const { file, tree } = place(regional);
  const candidate = tree('c');
  // Step by step from inside, as a program in a box would; one call could not name it.
  const script = `for i in $(seq 25); do mkdir ${'d'.repeat(200)} && cd ${'d'.repeat(200)}; done 2>/dev/null; true`;
  execFileSync('sh', ['-c', script], { cwd: candidate });
  const argv = [
    'check',
    file,
    '--base',
    tree('b'),
    '--candidate',
    candidate,
    '--pin-base',
    '--json',
  ];
  const { code, out, last } = await call(argv);
  execFileSync('rm', ['-rf', candidate]);
  const [first] = last.reasons as { code: string }[];
  expect([code, last.verdict, first?.code]).toEqual([1, 'invalid', 'tree.path']);
  expect(out).toContain('The candidate is refused.');
});

test('a candidate that is no tree is refused in words, with its path', async () => {
  const { file, tree } = place(regional);
  const candidate = tree('c');
  mkdirSync(join(candidate, '.GIT'));
  const argv = [
    'check',
    file,
    '--base',
    tree('b'),
    '--candidate',
    candidate,
    '--pin-base',
    '--json',
  ];
  const { out } = await call(argv);
  expect(out).toMatch(/The candidate is refused\.\nThis is no tree.*\n {2}tree\.git-path \.GIT: /u);
});

test.each<[string, string, RegExp]>([
  ['edits without a list', '{"edits":[]}', /create .*expected array/],
  [
    'an edit without its text',
    '{"edits":[{"file":"a.ts","find":"x"}],"create":[],"delete":[]}',
    /edits\[0\]\.replace .*expected string/,
  ],
  [
    'bodies of another shape',
    '{"bodies":[{"region":1,"text":""}]}',
    /bodies\[0\]\.region .*expected string/,
  ],
])('a proposal with %s says which field is wrong', async (_, json, message) => {
  const { folder, file, tree } = place(regional);
  const proposal = join(folder, 'p.json');
  writeFileSync(proposal, json);
  const argv = ['check', file, '--base', tree('b'), '--proposal', proposal, '--pin-base', '--json'];
  const { code, out } = await call(argv);
  expect(code).toBe(1);
  expect(out).toContain('The proposal makes no candidate:');
  expect(out).toMatch(message);
});

describe('a flag that a word of the verb does not use is refused', () => {
  test.each<[string, readonly string[]]>([
    ['--reference', ['check', '--reference', 'x']],
    ['--candidate', ['lint', '--candidate', 'x']],
    ['--base', ['explain', '--base', 'x']],
    ['--run', ['check', '--run', 'x']],
    ['--out', ['check', '--out', 'x']],
    ['--dry-run', ['check', '--dry-run']],
  ])('%s', async (flag, [what = '', ...rest]) => {
    const { file } = place(regional);
    const { code, err } = await call([what, file, ...rest]);
    expect([code, err]).toEqual([2, expect.stringContaining(`${flag}: expected`)]);
  });

  test('and so is one that is given twice', async () => {
    const { file, tree } = place(regional);
    const { err } = await call(['lint', file, '--base', tree('b'), '--base', tree('b')]);
    expect(err).toMatch(/--base: expected it once/);
  });
});

test.each<[string, (file: string) => string[], RegExp]>([
  ['--base', (file) => ['lint', file, '--base', 'nowhere'], /--base: expected a folder/],
  ['git:REPO@OBJECT', (file) => ['lint', file, '--base', 'git:.'], /such as git:\.@HEAD/],
])('a wrong place is told by the flag that named it: %s', async (_, argv, message) => {
  const { file } = place(regional);
  expect((await call(argv(file))).err).toMatch(message);
});

describe('a contract that cannot be read', () => {
  test.each<[string, string, RegExp]>([
    ['with a key of nearly the right name', `${regional}creat: []\n`, /did you mean "create"\?/],
    ['of two documents', `${regional}---\na: 1\n`, /a second document/],
  ])('%s is told in our words', async (_, yaml, message) => {
    const { file } = place(yaml);
    expect((await call(['explain', file, '--json'])).err).toMatch(message);
  });

  test('is told in few words, however wrong it is', async () => {
    const { file } = place('['.repeat(100_000));
    const { code, err } = await call(['explain', file, '--json']);
    expect([code, err.length < 10_000]).toEqual([2, true]);
  });
});

describe('explain', () => {
  test('gives what it says of a contract to scripts, too', async () => {
    const { file } = place(regional);
    const { last } = await call(['explain', file, '--json']);
    expect(last).toMatchObject({ verb: 'contract explain', of: 'contract' });
    expect((last.words as string[]).length).toBeGreaterThan(2);
  });

  test.each(['{"verdict":"foo"}', '{"some":"thing"}'])('refuses %s', async (json) => {
    const { folder } = place(regional);
    const report = join(folder, 'r.json');
    writeFileSync(report, json);
    const { code, err } = await call(['explain', report, '--json']);
    expect([code, err]).toEqual([2, expect.stringContaining('C: expected a contract, or what')]);
  });
});
