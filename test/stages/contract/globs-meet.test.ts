import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { globPattern } from '../../../stages/contract/globs.ts';
import { globsMeet } from '../../../stages/contract/globs-meet.ts';

describe('two globs meet where one path fits both', () => {
  test.each<[string, string, boolean]>([
    ['**/*.pyc', 'src/*.py', false],
    ['**/*.pyc', 'src/*.py?', true],
    ['**/*.py', 'src/a/*.py', true],
    ['src/*', 'src/a/b', false],
    ['src/**', 'src/a/b', true],
    ['**/x', 'ax', false],
    ['**/x', 'x', true],
    ['**/__pycache__/**', 'docs/**', true],
    ['a{b,c*}d', 'acxd', true],
    ['a{b,c*}d', 'abxd', false],
    ['{a,b}/{c,d}', 'b/c', true],
    ['{a', '{?', true],
    ['?', '/', false],
    ['', '', true],
    ['', '*', true],
    ['', '?', false],
  ])('%s and %s: %s', (one, other, expected) => {
    expect([globsMeet(one, other), globsMeet(other, one)]).toEqual([expected, expected]);
  });

  const glob = fc
    .array(fc.constantFrom('a', 'b', '/', '*', '?', '**', '**/', '{', ',', '}'), { maxLength: 8 })
    .map((parts) => parts.join(''));
  const path = fc
    .array(fc.constantFrom('a', 'b', '/', '{', '}', ','), { maxLength: 6 })
    .map((parts) => parts.join(''));

  test('a plain path meets exactly the globs that fit it', () => {
    const plain = path.filter((text) => !/[{}]/u.test(text));
    fc.assert(
      fc.property(glob, plain, (one, text) => {
        expect(globsMeet(one, text)).toBe(globPattern(one).test(text));
      }),
      { numRuns: 2000 },
    );
  });

  test('no path fits two globs that do not meet', () => {
    fc.assert(
      fc.property(glob, glob, path, (one, other, text) => {
        const fits = globPattern(one).test(text) && globPattern(other).test(text);
        if (fits) expect(globsMeet(one, other)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});
