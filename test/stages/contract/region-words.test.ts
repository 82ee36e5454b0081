import { expect, test } from 'vitest';
import type { Contract } from '../../../schemas/contract.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { manifestText, parseManifest } from '../../../stages/contract/manifest.ts';
import { contractFor, reportOn } from '../../support/contract-case.ts';
import { lintWords } from '../../support/lint-case.ts';

const text = '// A\n1;\n// B\n2;\n// C\n3;\n// D\n';
const marked = (start: string, end: string, more: object = {}) => ({
  file: 'a.ts',
  region: { start, end },
  ...more,
});
const offsets = (from: number, to: number, more: { prefix?: string; suffix?: string } = {}) => ({
  file: 'a.ts',
  frame: [],
  region: {
    bytes: [from, to] as [number, number],
    prefix: more.prefix ?? `sha256:${sha256(text.slice(0, from))}`,
    suffix: more.suffix ?? `sha256:${sha256(text.slice(to))}`,
  },
});
const other = `sha256:${sha256('another')}`;
const misfit = (from: number, to: number) => [
  `value a.ts: bytes ${from} to ${to} do not fit the prefix and suffix hashes`,
];
type Editable = NonNullable<Parameters<typeof contractFor>[1]>['editable'];

test.each<[string, Editable, string[]]>([
  ['two regions in any order', [marked('// C', '// D'), marked('// A', '// B')], []],
  [
    'a start marker that is not there',
    [marked('// X', '// B')],
    ['marker-missing a.ts: the start marker is a whole line 0 times, expected once'],
  ],
  [
    'an end marker that is not there',
    [marked('// A', '// X')],
    ['marker-missing a.ts: the end marker is a whole line 0 times, expected once'],
  ],
  [
    'markers in the wrong order',
    [marked('// B', '// A')],
    ['marker-order a.ts: the end marker stands before the start marker'],
  ],
  [
    'a region in a region',
    [marked('// A', '// D', { id: 'all' }), marked('// B', '// C', { id: 'part' })],
    ['region-overlap a.ts: region part meets another'],
  ],
  [
    'regions that border on each other',
    [
      { ...offsets(5, 8), id: 'left' },
      { ...offsets(8, 9), id: 'right' },
    ],
    ['region-overlap a.ts: region right meets another'],
  ],
  ['bytes that fit', [offsets(5, 8)], []],
  ['no bytes at a place', [offsets(5, 5)], []],
  ['bytes to the end', [offsets(5, text.length)], []],
  ['bytes from the start', [offsets(0, 8)], []],
  ['bytes whose text before is another', [offsets(5, 8, { prefix: other })], misfit(5, 8)],
  ['bytes whose text after is another', [offsets(5, 8, { suffix: other })], misfit(5, 8)],
  ['bytes beyond the end', [offsets(5, text.length + 1)], misfit(5, text.length + 1)],
])('the lint says of %s', (_, editable, words) => {
  expect(lintWords({ 'a.ts': text }, { editable })).toEqual(words);
});

const bodyReport = (editable: Editable, candidate: string) =>
  reportOn({ 'a.ts': text }, { 'a.ts': candidate }, { editable }).reasons.map(
    ({ code, at, detail }) => `${code} ${at} ${detail}`,
  );

test('protected text between and around regions is named where it first differs', () => {
  const both: Editable = [
    marked('// A', '// B', { frame: [] }),
    marked('// C', '// D', { frame: [] }),
  ];
  expect(bodyReport(both, text.replace('1;', 'one;').replace('3;', 'three;'))).toEqual([]);
  const at = (candidate: string) =>
    reportOn({ 'a.ts': text }, { 'a.ts': candidate }, { editable: both }).reasons[0];
  expect(at(text.replace('// A', '// a'))).toMatchObject({ code: 'bytes.segment', at: 3 });
  expect(at(text.replace('// D', '// d'))).toMatchObject({ code: 'bytes.segment' });
  expect(at(text.replace('2;', '4;'))).toMatchObject({ code: 'bytes.segment' });
  expect(at(text.slice(0, 10))).toMatchObject({ code: 'bytes.segment' });
});

test('bytes of a manifest that were not written here are read in full', () => {
  const digest = sha256('');
  const entry = (path: string) => ({ path, kind: 'file' as const, size: 0, sha256: digest });
  const copy = (entries: ReturnType<typeof entry>[]) => manifestText(entries).slice();
  expect(parseManifest(copy([]))).toEqual([]);
  expect(parseManifest(copy([entry('b'), entry('a')])).map(({ path }) => path)).toEqual(['a', 'b']);
  const wide = ['a', '\uFFFD', '\u{1F600}'];
  expect(parseManifest(copy(wide.map(entry))).map(({ path }) => path)).toEqual(wide);
  const swapped = new TextDecoder().decode(copy([entry('a'), entry('b')])).split('\n');
  const [head, first, second] = swapped;
  const bytes = (lines: (string | undefined)[]) =>
    new TextEncoder().encode(`${lines.join('\n')}\n`);
  expect(() => parseManifest(bytes([head, second, first]))).toThrow(
    'manifest unreadable: "a" is out of order or occurs twice',
  );
  expect(() => parseManifest(bytes([head, first, first]))).toThrow('occurs twice');
  expect(() => parseManifest(bytes([head, '']))).toThrow('is not a canonical entry');
  expect(() => parseManifest(new TextEncoder().encode(`${head}\n${first}`))).toThrow(
    'a cut last line',
  );
  const twice = bytes([head, first, second]);
  expect(parseManifest(twice)).toBe(parseManifest(twice));
});

test('a contract without a region for a file gives it whole', () => {
  const contract: Contract = contractFor(sha256('x'), {
    editable: [{ file: 'a.ts', whole_file: true }],
  });
  expect(contract.editable[0]?.region).toBeUndefined();
  expect(bodyReport([{ file: 'a.ts', whole_file: true }], 'other\n')).toEqual([]);
});
