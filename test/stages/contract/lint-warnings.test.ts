import { describe, expect, test } from 'vitest';
import { warned } from '../../support/lint-case.ts';

describe('a contract is warned of', () => {
  const packs = { forbidden: { packs: ['ts/skip', 'py/skip'] } };
  test('nothing forbidden', () => {
    expect(warned({ 'a.ts': '' }, {}, null)).toEqual(['contract.no-pack']);
  });

  test('whole files that are exactly those of the reference', () => {
    const parts = { ...packs, editable: [{ file: 'a.ts', whole_file: true as const }] };
    expect(warned({ 'a.ts': '', 'b.ts': '' }, parts, ['a.ts'])).toEqual([
      'contract.leaks-reference',
    ]);
    expect(warned({ 'a.ts': '', 'b.ts': '' }, parts, ['b.ts'])).toEqual([]);
    expect(warned({ 'a.ts': '', 'b.ts': '' }, parts, null)).toEqual([]);
  });

  test.each<[string, string, string, boolean]>([
    ['a statement follows', 'a.ts', 'function f() {\n// A\n1;\n// B\ng();\n}\n', true],
    ['a comment follows', 'a.ts', 'function f() {\n// A\n1;\n// B\n// end\n}\n', false],
    ['nothing follows', 'a.ts', '// A\n1;\n// B\n', false],
    [
      'code of the same depth follows',
      'a.py',
      'def f():\n    # A\n    a()\n    # B\n    b()\n',
      true,
    ],
    ['the block ends', 'a.py', 'def f():\n    # A\n    a()\n    # B\n\nb()\n', false],
    ['an empty body and code follow', 'a.py', 'def f():\n    # A\n    # B\n    b()\n', true],
  ])('a region that is no tail: %s', (_, file, text, expected) => {
    const sign = file.endsWith('.py') ? '#' : '//';
    const start = text.split('\n').find((line) => line.endsWith(`${sign} A`)) ?? '';
    const end = text.split('\n').find((line) => line.endsWith(`${sign} B`)) ?? '';
    const parts = { ...packs, editable: [{ file, region: { start, end } }] };
    expect(warned({ [file]: text }, parts, null)).toEqual(
      expected ? ['contract.region-not-tail'] : [],
    );
  });
});
