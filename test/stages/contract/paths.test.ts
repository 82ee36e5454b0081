import { expect, test } from 'vitest';
import { anyGlob } from '../../../stages/contract/globs.ts';
import { isNeverEditable } from '../../../stages/contract/never-editable.ts';
import {
  ancestorsOf,
  collidingPaths,
  hardPathProblem,
  isPortable,
} from '../../../stages/contract/paths.ts';
import { byPrimary, reasonCodes } from '../../../stages/contract/reason-codes.ts';
import { isInnerLink } from '../../../stages/contract/tree-rules.ts';

test.each([
  'package.json',
  'pkg/a/package.json',
  'PACKAGE.JSON',
  'Vitest.Config.TS',
  'vite.config.ts',
  '.npmrc',
  'tsconfig.build.json',
  'conftest.py',
  'tests/a.py',
  'src/test/a.ts',
  'a/__tests__/b.ts',
  'src/a.test.ts',
  'test_a.py',
  'a/b_test.py',
  'setup.py',
  'requirements-dev.txt',
  '.github/workflows/ci.yml',
  '.git/config',
  '.env.local',
  'Makefile',
  'docker-compose.yml',
  'AGENTS.md',
  '.cargo/config.toml',
  'node_modules/a/index.js',
  'eslint.config.js',
  'sitecustomize.py',
  '__mocks__/fs.ts',
  'a.snap',
])('%s is never editable', (path) => {
  expect(isNeverEditable(path)).toBe(true);
});

test.each([
  'src/bucket.ts',
  'src/compose.ts',
  'src/build.ts',
  'lib/workspace.py',
  'src/testing.ts',
  'src/contest.py',
  'README.md',
  'src/latest/a.ts',
  'src/environment.ts',
  'docs/test.md',
  'src/requirements.ts',
])('%s is an ordinary path', (path) => {
  expect(isNeverEditable(path)).toBe(false);
});

test.each([
  ['', 'tree.path'],
  ['/a', 'tree.path'],
  ['a/', 'tree.path'],
  ['a//b', 'tree.path'],
  ['./a', 'tree.path'],
  ['a/../b', 'tree.path'],
  ['a\\b', 'tree.path'],
  ['a\nb', 'tree.path'],
  ['a\0', 'tree.path'],
  ['\ud800', 'tree.path'],
  ['.git', 'tree.git-path'],
  ['a/.Git/x', 'tree.git-path'],
  ['.git ./x', 'tree.git-path'],
  ['.git::$INDEX/x', 'tree.git-path'],
  ['GIT~2/x', 'tree.git-path'],
  ['.gitignore', null],
  ['a/b c.ts', null],
  ['é/ü.ts', null],
  ['...', null],
  ['x'.repeat(255), null],
  ['x'.repeat(256), 'tree.path'],
  ['\u00e9'.repeat(128), 'tree.path'],
  [`${'x/'.repeat(2047)}yy`, null],
  [`${'x/'.repeat(2047)}yyy`, 'tree.path'],
  ['git~12/x', 'tree.git-path'],
  ['git~1x', null],
  ['agit~1', null],
  ['.git\u200d', 'tree.git-path'],
  ['.g\u00adit', 'tree.git-path'],
  ['.git:a:b', 'tree.git-path'],
] as const)('the hard rules say of %j: %s', (path, problem) => {
  expect(hardPathProblem(path)).toBe(problem);
});

test.each([
  ['nul.txt', false],
  ['com1', false],
  ['a/LPT9.log', false],
  ['a.', false],
  ['e\u0301.ts', false],
  ['xnul.txt', true],
  ['a/com0', false],
  ['a/lpt\u00b2', false],
  ['conin$', false],
  ['CONOUT$.txt', false],
  ['a b.ts', true],
  ['a ', false],
  ['console.ts', true],
  ['é.ts', true],
] as const)('%s is portable: %s', (path, portable) => {
  expect(isPortable(path)).toBe(portable);
});

test.each([
  ['src/*.ts', 'src/a.ts', true],
  ['src/*.ts', 'src/a/b.ts', false],
  ['src/**/*.ts', 'src/b.ts', true],
  ['src/**/*.ts', 'src/a/b/c.ts', true],
  ['**/*.test.{js,ts}', 'a/b.test.ts', true],
  ['**', 'a/b', true],
  ['{test,tests}/**', 'tests/a/b.py', true],
  ['a?.ts', 'ab.ts', true],
  ['a.b', 'axb', false],
  ['[x].ts', '[x].ts', true],
  ['a{b', 'a{b', true],
  ['a,b', 'a,b', true],
  ['a}b{c', 'a}b{c', true],
  ['{a,b}c,d', 'ac,d', true],
  ['{a,b}c,d', 'ac', false],
  ['{a,{b,c}}d', 'cd', true],
  ['{a,b}{c,d}', 'ad', true],
  ['a/**', 'a/b/c', true],
  ['a/**', 'a', false],
  ['**/a', 'a', true],
  ['a*', 'a/b', false],
  ['a?', 'a/', false],
  ['\u{1F600}?', '\u{1F600}\u{1F600}', true],
  ['longer-name.ts', 'longer-name.ts', true],
] as const)('glob %s and path %s: %s', (glob, path, fits) => {
  expect(anyGlob([glob])(path)).toBe(fits);
});

test.each([
  ['docs/a', '../b', true],
  ['a', '../b', false],
  ['a/b', '../../c', false],
  ['a/b', 'c/../../d', true],
  ['a', '/x', false],
  ['a', '', false],
  ['a/b', './../../x', false],
  ['a/b', './/../../x', false],
  ['a/b', 'c/./../x', true],
  ['a', 'b\\c', false],
  ['a', 'b\n', false],
] as const)('a link %s to %s stays inside: %s', (path, target, inner) => {
  expect(isInnerLink(path, target)).toBe(inner);
});

test('the list of reason codes is closed and has no double', () => {
  expect(new Set(reasonCodes).size).toBe(reasonCodes.length);
  expect(() => byPrimary([{ code: 'made.up', path: null, at: null }])).toThrow('closed list');
});

test.each([
  ['another case', ['README.md'], ['readme.md'], ['readme.md']],
  ['another composition', ['\u00e9'], ['e\u0301'], ['e\u0301']],
  ['a long s', ['s'], ['\u017f'], ['\u017f']],
  ['a folder of another case', ['src/a.ts'], ['SRC/b.ts'], ['SRC/b.ts']],
  ['a file where a folder is', ['src/a.ts'], ['SRC'], ['SRC']],
  ['two new ones, sorted', [], ['b', 'B', 'A', 'a'], ['A', 'B', 'a', 'b']],
  ['nothing new', ['a', 'A'], [], []],
  ['a pair of the base is its own business', ['a', 'A'], ['b'], []],
  ['the same folder twice', ['src/a.ts'], ['src/b.ts'], []],
])('colliding paths: %s', (_, base, added, colliding) => {
  expect(collidingPaths(base, added)).toEqual(colliding);
});

test('the folders above a path are named outermost first', () => {
  expect(ancestorsOf('a/b/c')).toEqual(['a', 'a/b']);
  expect(ancestorsOf('a')).toEqual([]);
});

test('reasons stand in the order of the list, then by path, then by place', () => {
  const reason = (code: string, path: string | null, at: number | null) => ({ code, path, at });
  const sorted = [
    reason('tree.path', null, null),
    reason('path.added', 'a', null),
    reason('bytes.segment', 'a', 1),
    reason('bytes.segment', 'a', 2),
    reason('bytes.segment', 'b', null),
    reason('forbidden:ts/exit', 'a', 0),
    reason('note.override', 'a', 0),
  ];
  expect(byPrimary(sorted.toReversed())).toEqual(sorted);
});
