import { describe, expect, test } from 'vitest';
import { openParse } from '../../../pipeline/parsing/tree-sitter.ts';
import { internalNames, pinsOf, precedentIn } from '../../../stages/weave/pins.ts';
import { isCodeName, tokensOf, wordsOf } from '../../../stages/weave/tokens.ts';

const parse = await openParse();
const tokens = (text: string, language = 'typescript') =>
  tokensOf([{ language, bytes: new TextEncoder().encode(text) }], parse);

describe('names and literals', () => {
  test.each([
    [
      'typescript',
      "const limit: Bucket = open('too many');\n",
      ['limit', 'Bucket', 'open'],
      ['too many'],
    ],
    [
      'python',
      'def refill(bucket):\n    raise ValueError("too many")\n',
      ['refill', 'bucket', 'ValueError'],
      ['too many'],
    ],
    ['cobol', 'MOVE total TO sum', ['MOVE', 'total', 'TO', 'sum'], []],
  ])('of %s', (language, text, names, literals) => {
    const found = tokens(text, language);
    expect([...found.names]).toEqual(names);
    expect([...found.literals]).toEqual(literals);
  });

  test('names of one or two letters and empty literals are nothing to pin', () => {
    expect([...tokens("const ab = 'x';\n").names]).toEqual([]);
    expect([...tokens("const ab = 'x';\n").literals]).toEqual([]);
  });
});

describe('what hidden tests pin', () => {
  const code = {
    tests: tokens("expect(peekLeft()).toBe('none left'); expect(known).toBe('old text');\n"),
    gold: tokens("function peekLeft() { return spareTokens() ? known : 'none left'; }\n"),
    base: precedentIn([
      { path: 'a.ts', text: '// unknown\n// known2\nexport const known = "old text";\n' },
      { path: 'README.md', text: 'README says spare\nand known\n' },
    ]),
  };

  test('is what gold brings, a test uses and the base does not say', () => {
    expect(pinsOf(code)).toMatchObject({ names: ['peekLeft'], literals: ['none left'] });
  });

  test('and what the base says is bound there, by the first place that says it as a whole word', () => {
    const more = {
      ...code,
      gold: tokens("function peekLeft() { return known ? 'old text' : spare; }\n"),
      tests: tokens("expect(known).toBe('old text'); expect(peekLeft()).toBe(spare);\n"),
    };
    expect(pinsOf(more)).toEqual({
      names: ['peekLeft'],
      literals: [],
      bound: [
        { text: 'known', path: 'a.ts', line: 3 },
        { text: 'spare', path: 'README.md', line: 1 },
        { text: 'old text', path: 'a.ts', line: 3 },
      ],
    });
  });

  test('and a name that no test uses stays internal', () => {
    expect(internalNames(code)).toEqual(['spareTokens']);
  });
});

test.each([
  ['refill', false],
  ['refillRate', true],
  ['_refill', true],
  ['utf8', true],
  ['Bucket', false],
])('%s looks like code: %s', (name, wanted) => {
  expect(isCodeName(name)).toBe(wanted);
});

test('words are whole, also with accents and signs', () => {
  expect(wordsOf('größe $x a.b, 12th')).toEqual(['größe', '$x', 'a', 'b', 'th']);
});
