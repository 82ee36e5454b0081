import { describe, expect, test } from 'vitest';
import { type Files, reportOn } from '../../support/contract-case.ts';
import {
  end,
  head,
  lruBase,
  lruContract,
  start,
  tail,
  withBody,
} from '../../support/lru-fixture.ts';

const file = (text: string | Uint8Array): Files => ({ ...lruBase, 'src/lru.ts': text });
const without = (path: string): Files =>
  Object.fromEntries(Object.entries(lruBase).filter(([name]) => name !== path));
const codes = (candidate: Files) =>
  reportOn(lruBase, candidate, lruContract).reasons.map(({ code }) => code);
const whole = `${head}    return 0;\n${tail}`;
const latin = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));

test.each<[string, Files]>([
  ['1 honest edit', withBody('    return key.length + now();\n')],
  ['2 empty body', withBody('')],
  ['3 body identical to the base', lruBase],
  ['17 body of exactly max_bytes', withBody(`${'    // ok\n'.repeat(1638)}///\n`)],
  ['70 string holding a comment opener', withBody("    return '/*'.length;\n")],
  ['44 a device name that the base already has', { ...lruBase }],
])('case %s conforms', (_, candidate) => {
  expect(reportOn(lruBase, candidate, lruContract)).toMatchObject({ conforms: true, reasons: [] });
});

test.each<[string, Files, string[]]>([
  ['4 blank before the start marker', file(whole.replace(start, ` ${start}`)), ['bytes.segment']],
  ['5 blank after the end marker', file(whole.replace(end, `${end} `)), ['bytes.segment']],
  ['6 final newline added', file(`${whole}\n`), ['bytes.segment']],
  [
    '7 start marker again in the body',
    withBody(`${start}\n    return 1;\n`),
    ['region.marker-in-body'],
  ],
  [
    '8 end marker again, indented otherwise',
    withBody('  // END EDITABLE get\n    return 1;\n'),
    ['region.marker-in-body'],
  ],
  [
    '9 markers swapped',
    file(whole.replace(start, '@').replace(end, start).replace('@', end)),
    ['bytes.segment'],
  ],
  ['10 marker removed', file(whole.replace(`${end}\n`, '')), ['bytes.segment']],
  ['11 marker with other blanks', file(whole.replace(start, start.slice(1))), ['bytes.segment']],
  ['17 body too large', withBody(`    // ${'x'.repeat(1000)}\n`.repeat(17)), ['region.too-large']],
  ['18 CRLF in the body', withBody('    return 1;\r\n'), ['text.newline']],
  ['19 whole file CRLF', file(whole.replaceAll('\n', '\r\n')), ['bytes.segment']],
  ['20 BOM added', file(`\ufeff${whole}`), ['bytes.segment']],
  ['22 UTF-16', file(new Uint8Array(Buffer.from(whole, 'utf16le'))), ['bytes.segment']],
  [
    '23 invalid UTF-8',
    file(latin(`${head}    return '\u00ff';\n${tail}`)),
    ['text.encoding', 'scan.error'],
  ],
  ['24 NUL in a comment', withBody('    // \0\n'), ['text.control']],
  ['25 bidi override', withBody('    // \u202e\n'), ['text.bidi']],
  ['26 zero-width joiner in a name', withBody('    return a\u200db;\n'), ['text.invisible']],
  ['27 line separator in a string', withBody("    return '\u2028'.length;\n"), ['text.newline']],
  [
    '28 trailing blanks outside',
    file(whole.replace('}\n// guard', '}  \n// guard')),
    ['bytes.segment'],
  ],
  [
    '29 tab for blanks outside',
    { ...lruBase, 'src/clock.ts': '\texport const now = () => 1;\n' },
    ['bytes.protected'],
  ],
  ['30 new file', { ...lruBase, 'src/extra.ts': '' }, ['path.added']],
  ['31 deleted file', without('src/clock.ts'), ['path.removed']],
  [
    '32 rename',
    { ...without('src/clock.ts'), 'src/time.ts': 'export const now = () => 1;\n' },
    ['path.added', 'path.removed'],
  ],
  ['33 copy', { ...lruBase, 'src/clock2.ts': 'export const now = () => 1;\n' }, ['path.added']],
  ['34 mode flip', { ...lruBase, 'src/lru.ts': ['exec', whole] }, ['path.mode']],
  ['35 link target changed', { ...lruBase, 'docs/latest': ['link', 'v2'] }, ['bytes.protected']],
  ['38 new empty directory', { ...lruBase, 'src/empty': ['dir', ''] }, ['path.added']],
  ['51 gitlink moved', { ...lruBase, 'third/x': ['gitlink', 'b'.repeat(40)] }, ['bytes.protected']],
  ['51 a file inside the gitlink', { ...lruBase, 'third/x/a': '' }, ['path.added']],
  ['52 .gitmodules changed', { ...lruBase, '.gitmodules': '' }, ['bytes.protected']],
  [
    '53 .gitattributes changed',
    { ...lruBase, '.gitattributes': '* text eol=crlf\n' },
    ['bytes.protected'],
  ],
  ['59 new conftest.py', { ...lruBase, 'conftest.py': '' }, ['path.added']],
  [
    '69 a body that ends inside a line',
    withBody('    return 1; //'),
    ['region.joins-marker', 'text.final-newline'],
  ],
])('case %s violates', (_, candidate, expected) => {
  expect(codes(candidate)).toEqual(expected);
});

test.each<[string, Files, string]>([
  ['36 absolute link', { ...lruBase, 'docs/latest': ['link', '/etc/hostname'] }, 'tree.link'],
  ['37 link out of the root', { ...lruBase, 'docs/latest': ['link', '../../x'] }, 'tree.link'],
  ['41 case collision', { ...lruBase, 'readme.md': '' }, 'tree.collision'],
  ['42 .GIT/config', { ...lruBase, '.GIT/config': '' }, 'tree.git-path'],
  ['42 .g\u200cit. behind an ignorable', { ...lruBase, '.g\u200cit./config': '' }, 'tree.git-path'],
  ['43 git~1/config', { ...lruBase, 'git~1/config': '' }, 'tree.git-path'],
  ['44 CON', { ...lruBase, CON: '' }, 'tree.portable'],
  ['44 src/aux.ts', { ...lruBase, 'src/aux.ts': '' }, 'tree.portable'],
  ['45 trailing dot', { ...lruBase, 'src/a.ts.': '' }, 'tree.portable'],
  ['45 trailing blank', { ...lruBase, 'src/b ': '' }, 'tree.portable'],
  ['46 backslash', { ...lruBase, 'src\\evil.ts': '' }, 'tree.path'],
  ['50 component of 256 bytes', { ...lruBase, ['x'.repeat(256)]: '' }, 'tree.path'],
  ['50 path of 4097 bytes', { ...lruBase, [`${'x/'.repeat(2048)}y`]: '' }, 'tree.path'],
  ['a file below a file', { ...lruBase, 'README.md/a': '' }, 'tree.path'],
])('case %s is no candidate', (_, candidate, code) => {
  const report = reportOn(lruBase, candidate, lruContract);
  expect(report.reasons.map((reason) => reason.code)).toContain(code);
  expect(report).toMatchObject({ conforms: false, conjuncts: { tree: false, projection: null } });
});

describe('regions at the borders of a file', () => {
  test('case 13: a region may begin at byte 0', () => {
    const contract = { editable: [{ file: 'a.ts', region: { start: '// A', end: '// B' } }] };
    const report = reportOn(
      { 'a.ts': '// A\n1;\n// B\n2;\n' },
      { 'a.ts': '// A\n3;\n// B\n2;\n' },
      contract,
    );
    expect(report.conforms).toBe(true);
  });

  test('case 14: a region may end at the last line, which has no line end', () => {
    const contract = { editable: [{ file: 'a.ts', region: { start: '// A', end: '// B' } }] };
    expect(
      reportOn({ 'a.ts': '// A\n1;\n// B' }, { 'a.ts': '// A\n3;\n// B' }, contract).conforms,
    ).toBe(true);
  });

  test('a marker may stand in a file with CRLF line ends', () => {
    const contract = { editable: [{ file: 'a.ts', region: { start: '// A', end: '// B' } }] };
    const step = (body: string) =>
      reportOn(
        { 'a.ts': '// A\r\n1;\r\n// B\r\n' },
        { 'a.ts': `// A\r\n${body}// B\r\n` },
        contract,
      );
    expect(step('2;\r\n').conforms).toBe(true);
    expect(step('2;\n').reasons[0]?.code).toBe('text.newline');
  });
});

const two = (a: string, b: string) => `x\n// A\n${a}// a\nconst middle = 1;\n// B\n${b}// b\ny\n`;
const twoContract = {
  editable: [
    { file: 'two.ts', region: { start: '// A', end: '// a' } },
    { file: 'two.ts', region: { start: '// B', end: '// b' } },
  ],
};

test.each([
  ['16 one of two regions untouched', two('1;\n', '3;\n'), []],
  [
    '15 two regions swapped',
    'x\n// B\n2;\n// b\nconst middle = 1;\n// A\n1;\n// a\ny\n',
    ['bytes.segment'],
  ],
  [
    'the text between two regions changed',
    two('1;\n', '2;\n').replace('middle', 'center'),
    ['bytes.segment'],
  ],
  [
    'the text between twice, so that it splits in two ways',
    two('1;\n// a\nconst middle = 1;\n// B\n5;\n', '2;\n'),
    ['region.ambiguous'],
  ],
])('case %s', (_, candidate, expected) => {
  const report = reportOn({ 'two.ts': two('1;\n', '2;\n') }, { 'two.ts': candidate }, twoContract);
  expect(report.reasons.map(({ code }) => code)).toEqual(expected);
});

test('a BOM of a whole file stays as it was', () => {
  const contract = { editable: [{ file: 'a.ts', whole_file: true as const }] };
  const codesOf = (before: string, after: string) =>
    reportOn({ 'a.ts': before }, { 'a.ts': after }, contract).reasons.map(({ code }) => code);
  expect(codesOf('\ufeff1;\n', '\ufeff2;\n')).toEqual([]);
  expect(codesOf('\ufeff1;\n', '2;\n')).toEqual(['text.bom']);
  expect(codesOf('1;\n', '\ufeff2;\n')).toEqual(['text.bom']);
});

test('in a whole file old sins are not judged, new lines are', () => {
  const contract = { editable: [{ file: 'a.py', whole_file: true as const }] };
  const codesOf = (after: string) =>
    reportOn({ 'a.py': 'x = 1\t# \u200b\n' }, { 'a.py': after }, contract).reasons.map(
      ({ code }) => code,
    );
  expect(codesOf('x = 1\t# \u200b\ny = 2\n')).toEqual([]);
  expect(codesOf('x = 1\t# \u200b\ny = 2')).toEqual(['text.final-newline']);
  expect(codesOf('# -*- coding: utf-7 -*-\nx = 1\t# \u200b\n')).toEqual(['text.cookie']);
});

test('only changed bytes are read', () => {
  const report = reportOn(lruBase, { ...lruBase, 'README.md': 'x\n' }, lruContract);
  expect(report.reasons).toEqual([
    {
      code: 'bytes.protected',
      path: 'README.md',
      at: null,
      detail: 'a protected path has other content',
    },
  ]);
});
