import { expect, test } from 'vitest';
import { anyGlob } from '../../../stages/contract/globs.ts';
import { isNeverEditable } from '../../../stages/contract/never-editable.ts';
import { hardPathProblem, isPortable } from '../../../stages/contract/paths.ts';
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
] as const)('the hard rules say of %j: %s', (path, problem) => {
  expect(hardPathProblem(path)).toBe(problem);
});

test.each([
  ['nul.txt', false],
  ['com1', false],
  ['a/LPT9.log', false],
  ['a.', false],
  ['e\u0301.ts', false],
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
] as const)('a link %s to %s stays inside: %s', (path, target, inner) => {
  expect(isInnerLink(path, target)).toBe(inner);
});

test('the list of reason codes is closed and has no double', () => {
  expect(new Set(reasonCodes).size).toBe(reasonCodes.length);
  expect(() => byPrimary([{ code: 'made.up', path: null, at: null }])).toThrow('closed list');
});
