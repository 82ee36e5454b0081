import { describe, expect, test } from 'vitest';
import type { Files } from '../../support/contract-case.ts';
import { lintWords, warnedWords } from '../../support/lint-case.ts';

const whole = (file: string) => ({ file, whole_file: true as const });
const region = (file: string) => ({ file, region: { start: '// A', end: '// B' } });
const text = '// A\n1;\n// B\n';

test.each<[string[], string[], string[], string[]]>([
  [['ts/none'], [], [], ['"ts/none" is no pack']],
  [['ts/exit'], [], ['ts/none'], ['"ts/none" lifts no rule that there is']],
  [['ts/exit'], [], ['ts/exit'], []],
  [['ts/exit'], [], ['ts/exit#kill'], []],
  [['ts/exit'], [], ['ts/exit#process'], []],
  [['ts/exit'], [], ['ts/exit#nothing'], ['"ts/exit#nothing" lifts no rule that there is']],
  [['ts/skip'], [], ['ts/skip#xit'], []],
  [['ts/skip'], [], ['ts/skip#!.'], ['"ts/skip#!." lifts no rule that there is']],
  [['ts/skip'], [], ['ts/skip#'], ['"ts/skip#" lifts no rule that there is']],
  [['ts/reflect'], [], ['ts/reflect#anything'], []],
  [['py/skip'], [], ['py/skip#!'], ['"py/skip#!" lifts no rule that there is']],
  [['ts/suppress'], [], ['ts/suppress#@ts-ignore'], []],
  [
    ['ts/suppress'],
    [],
    ['ts/suppress#@ts-none'],
    ['"ts/suppress#@ts-none" lifts no rule that there is'],
  ],
  [[], ['f ( g )'], ['constructs'], []],
  [[], ['f ( g )'], ['constructs#g'], []],
  [[], ['f ( g )'], ['constructs#h'], ['"constructs#h" lifts no rule that there is']],
])(
  'of packs %j with constructs %j and lifts %j the lint says %j',
  (packs, constructs, lifts, words) => {
    const allow = lifts.map((rule) => ({ rule, reason: 'asked for' }));
    const found = lintWords({}, { forbidden: { packs, constructs, allow } });
    expect(found).toEqual(words.map((one) => `pack-unknown -: ${one}`));
  },
);

describe('a warning says', () => {
  const packs = { forbidden: { packs: ['ts/skip'] } };
  const goesOn = (id: string) =>
    `after region ${id} its block goes on: names that the region declares reach protected text`;

  test('that nothing is forbidden', () => {
    expect(warnedWords({}, {}, null)).toEqual(['-: nothing is forbidden']);
  });

  test('that the editable files are the reference, where all of them are and none is a region', () => {
    const words = ["-: the editable files are exactly the reference's"];
    const files = { 'a.ts': text, 'b.ts': text };
    const both = { ...packs, editable: [whole('a.ts'), whole('b.ts')] };
    expect(warnedWords(files, both, ['a.ts', 'b.ts'])).toEqual(words);
    expect(warnedWords(files, both, ['a.ts'])).toEqual([]);
    expect(warnedWords(files, packs, ['a.ts'])).toEqual([]);
    const mixed = { ...packs, editable: [whole('a.ts'), region('b.ts')] };
    expect(warnedWords(files, mixed, ['a.ts', 'b.ts'])).toEqual([]);
  });

  test.each<[string, Files[string], object, boolean]>([
    ['a.ts', '// A\n1;\n// B\nf();\n', {}, true],
    ['a.ts', ['exec', '// A\n1;\n// B\nf();\n'], {}, true],
    ['a.ts', ['link', 'b.ts'], {}, false],
    ['a.ts', '{\n// A\n1;\n// B\n}\n', {}, false],
    ['a.ts', 'no markers\n', {}, false],
    ['a.txt', '// A\n1;\n// B\nf();\n', { frame: [] }, false],
    ['a.v', '// A\n1;\n// B\nQed.\n', { profile: 'rocq' }, false],
    ['a.thy', '// A\n1;\n// B\nqed\n', {}, false],
    ['a.py', 'if x:\n  # A\n  a()\n# B\nb()\n', {}, false],
    ['a.py', '# A\na()\n# B\nb()\n', {}, true],
    ['a.py', '# A\n\n# note\na()\n# B\n   \n# end\nb()\n', {}, true],
    ['a.py', '# A\n\n# B\nb()\n', {}, true],
    ['a.py', '# A\na()\n# B\n', {}, false],
  ])('of the tail in %s with %j', (file, content, more, expected) => {
    const sign = file === 'a.py' ? '#' : '//';
    const start = String(content).includes(`  ${sign} A`) ? `  ${sign} A` : `${sign} A`;
    const editable = [{ file, region: { start, end: `${sign} B` }, id: 'body', ...more }];
    const words = expected ? [`${file}: ${goesOn('body')}`] : [];
    expect(warnedWords({ [file]: content }, { ...packs, editable }, null)).toEqual(words);
  });
});
