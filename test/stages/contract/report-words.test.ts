import { describe, expect, test } from 'vitest';
import { type Files, reportOn } from '../../support/contract-case.ts';

type Parts = Parameters<typeof reportOn>[2];

const whole = (file: string) => ({ file, whole_file: true as const });
const wordsOn = (base: Files, candidate: Files, parts: Parts) =>
  reportOn(base, candidate, parts).reasons.map(
    ({ code, path, at, detail }) => `${code} ${path ?? '-'} ${at ?? '-'} ${detail}`,
  );
const exec = (text: string): Files[string] => ['exec', text];
const link = (to: string): Files[string] => ['link', to];
const digest = `sha256:${'0'.repeat(64)}`;
const excluded = { base: { manifest: digest, exclude_dirs: ['out'] } };
const lru = (file: string) => ({ file, region: { start: '// A', end: '// B' } });
const body = (text: string) => `// A\n${text}// B\n`;

test.each<[string, Files, Files, Parts, string[]]>([
  ['nothing where nothing changed', { a: 'x\n' }, { a: 'x\n' }, {}, []],
  [
    'another content of a protected file',
    { a: 'x\n' },
    { a: 'y\n' },
    {},
    ['bytes.protected a - a protected path has other content'],
  ],
  [
    'another target of a protected link',
    { a: link('b'), b: '', c: '' },
    { a: link('c'), b: '', c: '' },
    { editable: [whole('b')] },
    ['bytes.protected a - a protected path has other content'],
  ],
  [
    'nothing where a program that may change changed',
    { a: exec('x\n') },
    { a: exec('y\n') },
    { editable: [whole('a')] },
    [],
  ],
  [
    'a new path',
    {},
    { a: 'y\n' },
    { create: [{ glob: 'b' }] },
    ['path.added a - a new path', 'create.glob a - no create glob fits'],
  ],
  [
    'a file in a folder that is excluded',
    { 'a/out': 'x' },
    { 'a/out': 'x', 'out/a': 'y\n' },
    excluded,
    ['tree.excluded out/a - a path in a folder that the contract excludes'],
  ],
  [
    'a file that is called as a folder that is excluded, and none beside it',
    {},
    { out: 'y\n', outer: 'x\n' },
    { ...excluded, create: [{ glob: 'outer' }] },
    ['tree.excluded out - a path in a folder that the contract excludes'],
  ],
  [
    'too many bytes, by the largest of what changed',
    { large: 'l'.repeat(100), a: 'x\n' },
    { large: 'l'.repeat(100), a: 'yyy\n', b: 'zzzzzz\n' },
    { limits: { candidate_bytes: 10 }, editable: [whole('a')], create: [{ glob: 'b' }] },
    ['tree.too-large b - 11 bytes changed, at most 10 fit'],
  ],
  [
    'nothing of as many bytes as fit',
    { a: 'x\n' },
    { a: 'yyy\n', b: 'zzzzz\n' },
    { limits: { candidate_bytes: 10 }, editable: [whole('a')], create: [{ glob: 'b' }] },
    [],
  ],
  [
    'a file below a file',
    { a: 'x\n' },
    { a: 'x\n', 'a/b': 'x\n' },
    { create: [{ glob: 'a/*' }] },
    ['tree.path a/b - "a" is no folder'],
  ],
  [
    'bytes that no scanner can read',
    { 'a.ts': '1;\n' },
    { 'a.ts': new Uint8Array([0xff, 0x0a]) },
    { editable: [whole('a.ts')], forbidden: { packs: ['ts/exit'] } },
    ['text.encoding a.ts 0 bytes that are not UTF-8', 'scan.error a.ts - bytes that are not UTF-8'],
  ],
  [
    'a target that is gone, and one that stands twice',
    { 'a.ts': 'function f() {}\nfunction g() {}\n', 'b.ts': exec('function h() {}\n') },
    { 'a.ts': 'function g() {}\nfunction g() {}\n', 'b.ts': exec('function h() {}\n') },
    {
      editable: [whole('a.ts')],
      target: {
        declarations: [
          { file: 'a.ts', kind: 'function', name: 'f' },
          { file: 'a.ts', kind: 'function', name: 'g' },
          { file: 'b.ts', kind: 'function', name: 'h' },
        ],
      },
    },
    [
      'target.missing a.ts - the function "f" is not declared',
      'target.duplicate a.ts - the function "g" is declared 2 times',
    ],
  ],
  [
    'a target whose file cannot be parsed',
    { 'a.ts': 'function f() {}\n' },
    { 'a.ts': `function f() {}\n${'// x\n'.repeat(210_000)}` },
    {
      editable: [{ ...whole('a.ts'), max_bytes: 2 * 1024 * 1024 }],
      target: { declarations: [{ file: 'a.ts', kind: 'function', name: 'f' }] },
    },
    [
      'scan.error a.ts - the function "f" cannot be looked for: Error: the file has 1050016 bytes, at most 1048576 are parsed',
    ],
  ],
])('the report names %s', (_, base, candidate, parts, words) => {
  expect(wordsOn(base, candidate, parts)).toEqual(words);
});

describe('the text policy', () => {
  const onBody = (before: string, after: string, text: object = {}) =>
    wordsOn(
      { 'a.ts': body(before) },
      { 'a.ts': body(after) },
      {
        editable: [{ ...lru('a.ts'), text, frame: [] }],
      },
    );
  const onFile = (file: string, before: Files[string] | null, after: Files[string]) =>
    wordsOn(
      before === null ? {} : { [file]: before },
      { [file]: after },
      {
        editable: before === null ? [] : [whole(file)],
        create: before === null ? [{ glob: '*' }] : [],
      },
    );

  test('wants a byte order mark where the base has one, and nowhere else', () => {
    const mark = '\ufeff';
    expect(onFile('a', 'x\n', `${mark}y\n`)[0]).toBe('text.bom a 0 a byte order mark');
    expect(onFile('a', `${mark}x\n`, 'y\n')).toEqual(['text.bom a 0 the byte order mark is gone']);
    expect(onFile('a', `${mark}x\n`, `${mark}y\n`)).toEqual([]);
    expect(onFile('a', null, `${mark}y\n`)[0]).toBe('text.bom a 0 a byte order mark');
    const near = new Uint8Array([0xef, 0xbb, 0xbe, 0x0a]);
    expect(onFile('a', 'x\n', near).filter((one) => one.startsWith('text.bom'))).toEqual([]);
  });

  test('wants a line end after the last line, unless the base has none either', () => {
    const words = (file: string, at: number) =>
      `text.final-newline ${file} ${at} the last line has no line end`;
    expect(onFile('a', 'x\n', 'y')).toEqual([words('a', 1)]);
    expect(onFile('a', 'x', 'y')).toEqual([]);
    expect(onFile('a', '', 'y')).toEqual([words('a', 1)]);
    expect(onFile('a', null, 'y')).toEqual([words('a', 1)]);
    expect(onFile('a', 'x\n', '')).toEqual([]);
    expect(onBody('x\n', 'y\n')).toEqual([]);
  });

  test.each([
    ['# coding: latin-1\n', ['text.cookie a.py 0 the coding cookie "latin-1"']],
    ['x = 1\n# -*- coding: cp1252 -*-\n', ['text.cookie a.py 6 the coding cookie "cp1252"']],
    ['\t# vim: set fileencoding=ascii :\n', ['text.cookie a.py 0 the coding cookie "ascii"']],
    ['# coding:\tlatin-1\n', ['text.cookie a.py 0 the coding cookie "latin-1"']],
    ['# coding:utf8x\n', ['text.cookie a.py 0 the coding cookie "utf8x"']],
    ['# coding:xutf-8\n', ['text.cookie a.py 0 the coding cookie "xutf-8"']],
    ['# coding: utf-8\n', []],
    ['# coding: UTF8\n', []],
    ['# coding: utf_8\n', []],
    ['x = 1 # coding: latin-1\n', []],
    ['x = 1\ny = 2\n# coding: latin-1\n', []],
    ['# coding latin-1\n', []],
  ])('reads %j in the first two lines as Python does', (text, words) => {
    expect(onFile('a.py', '', text)).toEqual(words);
    expect(onFile('a.pyi', '', text)).toEqual(words.map((one) => one.replace('a.py', 'a.pyi')));
    expect(onFile('a.pyx', '', text)).toEqual([]);
  });

  test('leaves a cookie that the base has', () => {
    const old = '# coding: latin-1\n# two\n';
    expect(onFile('a.py', old, `${old}x = 1\n`)).toEqual([]);
    expect(onFile('a.py', `# one\n# two\n${old}`, `${old}x = 1\n`)).toHaveLength(1);
  });
});

describe('equation 2 as published', () => {
  const eq2 = (base: Files, candidate: Files, parts: Parts) =>
    reportOn(base, candidate, parts).conformsEq2;
  const base = { 'a.ts': `function f() {\n${body('1;\n')}}\n`, b: 'x\n' };
  const parts: Parts = {
    editable: [lru('a.ts')],
    target: { declarations: [{ file: 'a.ts', kind: 'function', name: 'f' }] },
    forbidden: { packs: ['ts/exit'] },
  };
  const withBody = (text: string) => ({ ...base, 'a.ts': `function f() {\n${body(text)}}\n` });

  test('holds what it holds, and knows no frame and no text policy', () => {
    expect(eq2(base, withBody('2;\n'), parts)).toBe(true);
    expect(eq2(base, withBody('/*\n'), parts)).toBe(true);
    expect(eq2(base, withBody('2;\r\n'), parts)).toBe(true);
  });

  test('fails by bytes outside, by the target and by what is forbidden, each alone', () => {
    expect(eq2(base, { ...base, b: 'y\n' }, parts)).toBe(false);
    expect(eq2(base, withBody('}\nfunction f() {\n'), parts)).toBe(false);
    expect(eq2(base, withBody('process.exit(0);\n'), parts)).toBe(false);
  });
});

test('a name that mixes scripts is told where it is new, and refused nowhere', () => {
  const notesOn = (before: string, after: string) =>
    reportOn(
      { 'a.ts': before },
      { 'a.ts': after },
      {
        editable: [whole('a.ts')],
        forbidden: { packs: ['ts/exit'] },
      },
    ).warnings.map(({ code, at, detail }) => `${code} ${at} ${detail}`);
  const mixed = 'p\u0430yload';
  expect(notesOn('', `é = ${mixed};\n`)).toEqual([`note.confusable 5 "${mixed}" mixes scripts`]);
  expect(notesOn(`${mixed};\n`, `${mixed} + 1;\n`)).toEqual([]);
  expect(notesOn('', 'данные + α + é;\n')).toEqual([]);
  expect(notesOn('', 'o\u03bf + a\u0585;\n')).toHaveLength(2);
  expect(notesOn('', `"${mixed} x";\n`)).toEqual([]);
});
