import { expect, test } from 'vitest';
import { matchesAny } from '../../../stages/environments/glob.ts';

test.each([
  ['a.ts', '*.ts', true],
  ['src/a.ts', '*.ts', false],
  ['src/a.ts', '**/*.ts', true],
  ['a.ts', '**/*.ts', true],
  ['test/x/y.py', '**/{test,tests}/**', true],
  ['latest/x.py', '**/{test,tests}/**', false],
  ['pkg/tests/x.py', '**/{test,tests}/**', true],
  ['tests', '**/{test,tests}/**', false],
  ['a.test.mts', '**/*.{test,spec}.{js,mts}', true],
  ['a.b', 'a?b', true],
  ['a/b', 'a?b', false],
  ['a+b.ts', 'a+b.*', true],
])('%s against %s: %s', (path, glob, expected) => {
  expect(matchesAny(path, ['no such name', glob])).toBe(expected);
});

test('no glob matches nothing', () => {
  expect(matchesAny('a.ts', [])).toBe(false);
});
