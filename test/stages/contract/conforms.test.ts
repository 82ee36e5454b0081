import { describe, expect, test } from 'vitest';
import { type Files, reportOn } from '../../support/contract-case.ts';
import { head, lruBase, lruContract, tail } from '../../support/lru-fixture.ts';

const without = (path: string): Files =>
  Object.fromEntries(Object.entries(lruBase).filter(([name]) => name !== path));
const codes = (candidate: Files) =>
  reportOn(lruBase, candidate, lruContract).reasons.map(({ code }) => code);
const whole = `${head}    return 0;\n${tail}`;

test.each<[string, Files, string[]]>([
  ['new file', { ...lruBase, 'src/extra.ts': '' }, ['path.added']],
  ['deleted file', without('src/clock.ts'), ['path.removed']],
  [
    'rename',
    { ...without('src/clock.ts'), 'src/time.ts': 'export const now = () => 1;\n' },
    ['path.added', 'path.removed'],
  ],
  ['copy', { ...lruBase, 'src/clock2.ts': 'export const now = () => 1;\n' }, ['path.added']],
  ['mode flip', { ...lruBase, 'src/lru.ts': ['exec', whole] }, ['path.mode']],
  ['link target changed', { ...lruBase, 'docs/latest': ['link', 'v2'] }, ['bytes.protected']],
  ['new empty directory', { ...lruBase, 'src/empty': ['dir', ''] }, ['path.added']],
  ['gitlink moved', { ...lruBase, 'third/x': ['gitlink', 'b'.repeat(40)] }, ['bytes.protected']],
  ['a file inside the gitlink', { ...lruBase, 'third/x/a': '' }, ['path.added']],
  ['.gitmodules changed', { ...lruBase, '.gitmodules': '' }, ['bytes.protected']],
  [
    '.gitattributes changed',
    { ...lruBase, '.gitattributes': '* text eol=crlf\n' },
    ['bytes.protected'],
  ],
  ['new conftest.py', { ...lruBase, 'conftest.py': '' }, ['path.added']],
])('%s violates', (_, candidate, expected) => {
  expect(codes(candidate)).toEqual(expected);
});

test.each<[string, Files, string]>([
  ['absolute link', { ...lruBase, 'docs/latest': ['link', '/etc/hostname'] }, 'tree.link'],
  ['link out of the root', { ...lruBase, 'docs/latest': ['link', '../../x'] }, 'tree.link'],
  ['case collision', { ...lruBase, 'readme.md': '' }, 'tree.collision'],
  ['.GIT/config', { ...lruBase, '.GIT/config': '' }, 'tree.git-path'],
  ['.g\u200cit. behind an ignorable', { ...lruBase, '.g\u200cit./config': '' }, 'tree.git-path'],
  ['git~1/config', { ...lruBase, 'git~1/config': '' }, 'tree.git-path'],
  ['CON', { ...lruBase, CON: '' }, 'tree.portable'],
  ['src/aux.ts', { ...lruBase, 'src/aux.ts': '' }, 'tree.portable'],
  ['trailing dot', { ...lruBase, 'src/a.ts.': '' }, 'tree.portable'],
  ['trailing blank', { ...lruBase, 'src/b ': '' }, 'tree.portable'],
  ['backslash', { ...lruBase, 'src\\evil.ts': '' }, 'tree.path'],
  ['component of 256 bytes', { ...lruBase, ['x'.repeat(256)]: '' }, 'tree.path'],
  ['path of 4097 bytes', { ...lruBase, [`${'x/'.repeat(2048)}y`]: '' }, 'tree.path'],
  ['a file below a file', { ...lruBase, 'README.md/a': '' }, 'tree.path'],
])('%s is no candidate', (_, candidate, code) => {
  const report = reportOn(lruBase, candidate, lruContract);
  expect(report.reasons.map((reason) => reason.code)).toContain(code);
  expect(report).toMatchObject({ conforms: false, conjuncts: { tree: false, projection: null } });
});

describe('regions at the borders of a file', () => {
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
])('%s', (_, candidate, expected) => {
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
