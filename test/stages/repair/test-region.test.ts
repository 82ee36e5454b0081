import { describe, expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import { testRegion } from '../../../stages/repair/test-region.ts';

const parse = await openParse();

/** The text of the body of the test on a line, null where it cannot be cut out. */
function bodyAt(language: string, text: string, line: number): string | null {
  const bytes = Buffer.from(text);
  const root = parse(language, bytes);
  const region = root === null ? null : testRegion(root, bytes, line, language);
  return region === null ? null : bytes.subarray(region.start, region.end).toString();
}

const script = `import { f } from './f.ts';

describe('f', () => {
  test('grüßt', () => {
    const x = f();
    expect(x).toBe(1);
  });
  test.each([1, 2])('is %i', async (n) => {
    expect(f(n)).toBe(n);
  });
  test('old', function () {
    f();
  });
  test('one line', () => { f(); });
  test('expression', () => f());
  test('named', helper);
  test('empty', () => {
  });
  test('with options', { timeout: 5 }, () => {
    f();
  });
});
`;

describe('a TypeScript test', () => {
  test.each([
    ['in a suite', 4, '    const x = f();\n    expect(x).toBe(1);\n'],
    ['of a table', 8, '    expect(f(n)).toBe(n);\n'],
    ['with a function', 11, '    f();\n'],
    ['with options', 19, '    f();\n'],
    ['of one line', 14, null],
    ['that is an expression', 15, null],
    ['whose body has a name', 16, null],
    ['that does not begin there', 5, null],
    ['on a line that is not there', 99, null],
  ])('%s', (_, line, body) => {
    expect(bodyAt('typescript', script, line)).toBe(body);
  });
});

const python = `import pytest

class TestF:
    @pytest.mark.parametrize("n", [1, 2])
    def test_table(self, n):
        """Words."""
        assert f(n) == n

    def test_plain(self):
        x = f()
        assert x == 1

    def test_line(self): assert f()

def test_long(
    tmp_path,
):
    assert tmp_path

def test_split(a,
               b): assert a

async def test_async():
    await f()`;

describe('a Python test', () => {
  test.each([
    ['by its def', 9, '        x = f()\n        assert x == 1\n'],
    ['by its decorator', 4, '        """Words."""\n        assert f(n) == n\n'],
    ['by its def below a decorator', 5, '        """Words."""\n        assert f(n) == n\n'],
    ['with a long head', 15, '    assert tmp_path\n'],
    ['at the end of a file without a line end', 23, '    await f()'],
    ['of one line', 13, null],
    ['of one line after a long head', 20, null],
    ['where none begins', 10, null],
  ])('%s', (_, line, body) => {
    expect(bodyAt('python', python, line)).toBe(body);
  });
});
