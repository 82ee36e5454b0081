import { expect, test } from 'vitest';
import { type Files, reportOn } from '../../../support/contract-case.ts';
import {
  end,
  head,
  lruBase,
  lruContract,
  start,
  tail,
  withBody,
} from '../../../support/lru-fixture.ts';

const file = (text: string | Uint8Array): Files => ({ ...lruBase, 'src/lru.ts': text });
const whole = `${head}    return 0;\n${tail}`;
const latin = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const utf16 = (text: string) => new Uint8Array(Buffer.from(text, 'utf16le'));
const codesOf = (...step: Parameters<typeof reportOn>) =>
  reportOn(...step).reasons.map(({ code }) => code);

test.each<[string, Files]>([
  ['1: an honest edit conforms', withBody('    return key.length + now();\n')],
  ['2: an empty body conforms', withBody('')],
  ['3: a body identical to the base conforms', lruBase],
  ['17: a body of exactly max_bytes conforms', withBody(`${'    // ok\n'.repeat(1638)}///\n`)],
])('case %s', (_, candidate) => {
  const report = reportOn(lruBase, candidate, lruContract);
  expect(report).toMatchObject({ conforms: true, conformsEq2: true, reasons: [] });
});

test.each<[string, Files, string]>([
  ['4: a blank before the start marker', file(whole.replace(start, ` ${start}`)), 'bytes.segment'],
  ['5: a blank after the end marker', file(whole.replace(end, `${end} `)), 'bytes.segment'],
  ['6: a final newline added', file(`${whole}\n`), 'bytes.segment'],
  [
    '7: the start marker again in the body',
    withBody(`${start}\n    return 1;\n`),
    'region.marker-in-body',
  ],
  [
    '8: the end marker again in the body, indented otherwise',
    withBody('  // END EDITABLE get\n    return 1;\n'),
    'region.marker-in-body',
  ],
  [
    '9: the markers swapped',
    file(whole.replace(start, '@').replace(end, start).replace('@', end)),
    'bytes.segment',
  ],
  ['10: a marker removed', file(whole.replace(`${end}\n`, '')), 'bytes.segment'],
  ['11: a marker with other blanks', file(whole.replace(start, start.slice(1))), 'bytes.segment'],
  [
    '17: a body of more than max_bytes',
    withBody(`${'    // ok\n'.repeat(1638)}////\n`),
    'region.too-large',
  ],
  ['18: CRLF in the body of an LF file', withBody('    return 1;\r\n'), 'text.newline'],
  ['19: the whole file in CRLF', file(whole.replaceAll('\n', '\r\n')), 'bytes.segment'],
  ['20: a byte order mark added', file(`\ufeff${whole}`), 'bytes.segment'],
  ['22: UTF-16 in a file with a region', file(utf16(whole)), 'bytes.segment'],
  [
    '23: invalid UTF-8 in a string of the body',
    file(latin(`${head}    return '\u00ff';\n${tail}`)),
    'text.encoding',
  ],
  ['24: NUL in a comment of the body', withBody('    // \0\n'), 'text.control'],
  ['25: a bidi override in a comment of the body', withBody('    // \u202e\n'), 'text.bidi'],
  ['26: a zero-width joiner in a name', withBody('    return a\u200db;\n'), 'text.invisible'],
  ['27: a line separator in a string', withBody("    return '\u2028'.length;\n"), 'text.newline'],
  [
    '28: trailing blanks outside the region',
    file(whole.replace('}\n// guard', '}  \n// guard')),
    'bytes.segment',
  ],
  [
    '29: other indentation in a protected file',
    { ...lruBase, 'src/clock.ts': '\texport const now = () => 1;\n' },
    'bytes.protected',
  ],
])('case %s violates', (_, candidate, code) => {
  const report = reportOn(lruBase, candidate, lruContract);
  expect([report.conforms, report.conjuncts.tree, report.reasons[0]?.code]).toEqual([
    false,
    true,
    code,
  ]);
});

test('case 17: the two bodies lie one byte apart', () => {
  const most = '    // ok\n'.repeat(1638).length + '///\n'.length;
  expect(most).toBe(lruContract.editable[0]?.max_bytes);
});

const oneRegion = { editable: [{ file: 'a.ts', region: { start: '// A', end: '// B' } }] };

test('case 13: a region that begins at byte 0 takes an honest edit', () => {
  const [base, candidate] = ['// A\n1;\n// B\n2;\n', '// A\n3;\n// B\n2;\n'];
  expect(codesOf({ 'a.ts': base }, { 'a.ts': candidate }, oneRegion)).toEqual([]);
});

test('case 14: a region whose end marker is the last line, without line end, takes an honest edit', () => {
  const [base, candidate] = ['// A\n1;\n// B', '// A\n3;\n// B'];
  expect(codesOf({ 'a.ts': base }, { 'a.ts': candidate }, oneRegion)).toEqual([]);
});

test('case 21: a byte order mark that the base has and the candidate lacks violates', () => {
  const codes = codesOf({ ...lruBase, 'src/lru.ts': `\ufeff${whole}` }, lruBase, lruContract);
  expect(codes[0]).toBe('bytes.segment');
});

test('case 22: UTF-16 in a whole file violates', () => {
  const contract = { editable: [{ file: 'a.ts', whole_file: true as const }] };
  const codes = codesOf({ 'a.ts': '1;\n' }, { 'a.ts': utf16('é;\n') }, contract);
  expect(codes).toContain('text.control');
  expect(codesOf({ 'a.ts': '1;\n' }, { 'a.ts': utf16('\u00e9\ud83d\ude00;\n') }, contract)[0]).toBe(
    'text.encoding',
  );
});

const two = (a: string, b: string) => `x\n// A\n${a}// a\nconst middle = 1;\n// B\n${b}// b\ny\n`;
const twoRegions = {
  editable: [
    { file: 'two.ts', region: { start: '// A', end: '// a' } },
    { file: 'two.ts', region: { start: '// B', end: '// b' } },
  ],
};
const onTwo = (candidate: string) =>
  codesOf({ 'two.ts': two('1;\n', '2;\n') }, { 'two.ts': candidate }, twoRegions);

test('case 15: two regions that change places violate', () => {
  const swapped = 'x\n// B\n2;\n// b\nconst middle = 1;\n// A\n1;\n// a\ny\n';
  expect(onTwo(swapped)).toEqual(['bytes.segment']);
});

test('case 16: one of two regions untouched conforms, in one file and in two', () => {
  expect(onTwo(two('1;\n', '3;\n'))).toEqual([]);
  const contract = {
    editable: ['a.ts', 'b.ts'].map((name) => ({
      file: name,
      region: { start: '// A', end: '// B' },
    })),
  };
  const text = '// A\n1;\n// B\n';
  const candidate = { 'a.ts': text.replace('1', '2'), 'b.ts': text };
  expect(codesOf({ 'a.ts': text, 'b.ts': text }, candidate, contract)).toEqual([]);
});
