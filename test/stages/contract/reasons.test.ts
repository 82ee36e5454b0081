import { expect, test } from 'vitest';
import { type Files, reportOn } from '../../support/contract-case.ts';

type Step = readonly [Files, Files, Parameters<typeof reportOn>[2]];

/** Reasons as people read them: `code path@at detail`, the primary one first. */
const said = (...step: Step) =>
  reportOn(...step).reasons.map(({ code, path, at, detail }) => `${code} ${path}@${at} ${detail}`);

const region = (file: string, max_bytes = 64) => ({
  editable: [{ id: 'one', file, region: { start: '// A', end: '// B' }, max_bytes, frame: [] }],
});
const text = (body: string) => `x\n// A\n${body}// B\ny\n`;
const plain = { 'a.txt': text('1\n') };

test('what is wrong with a region is said with its place in the candidate', () => {
  const onBody = (body: string) => said(plain, { 'a.txt': text(body) }, region('a.txt'));
  expect(onBody('1\n  // B  \n')).toMatchInlineSnapshot(`
    [
      "region.marker-in-body a.txt@9 region one holds a marker line",
    ]
  `);
  expect(onBody('12')).toMatchInlineSnapshot(`
    [
      "region.joins-marker a.txt@9 region one does not end its last line",
      "text.final-newline a.txt@9 the last line has no line end",
    ]
  `);
  expect(onBody('1234567\n'.repeat(9))).toMatchInlineSnapshot(`
    [
      "region.too-large a.txt@7 region one has 72 bytes, at most 64 fit",
    ]
  `);
  expect(
    said(plain, { 'a.txt': text('1\n').replace('x', 'z') }, region('a.txt')),
  ).toMatchInlineSnapshot(`
    [
      "bytes.segment a.txt@0 the text before the first region changed",
    ]
  `);
  expect(
    said(plain, { 'a.txt': text('1\n').replace('y', 'z') }, region('a.txt')),
  ).toMatchInlineSnapshot(`
    [
      "bytes.segment a.txt@15 the text after the last region changed",
    ]
  `);
  expect(said(plain, { 'a.txt': 'x\n' }, region('a.txt'))).toMatchInlineSnapshot(`
    [
      "bytes.segment a.txt@2 the text before the first region changed",
    ]
  `);
});

test('the text policy says which line of which kind it refuses', () => {
  const contract = { editable: [{ file: 'a.txt', whole_file: true as const, max_bytes: 4000 }] };
  const onText = (after: string | Uint8Array) =>
    said({ 'a.txt': 'a\nb\n' }, { 'a.txt': after }, contract);
  expect(onText('a\nb\r\n')).toMatchInlineSnapshot(`
    [
      "text.newline a.txt@2 a line that ends with CRLF where the file has LF",
    ]
  `);
  expect(onText('a\rb\n')).toMatchInlineSnapshot(`
    [
      "text.newline a.txt@0 a CR that ends no line",
    ]
  `);
  expect(onText('a\nb\nc')).toMatchInlineSnapshot(`
    [
      "text.final-newline a.txt@5 the last line has no line end",
    ]
  `);
  expect(onText('a\n\u0007\n')).toMatchInlineSnapshot(`
    [
      "text.control a.txt@2 a control character",
    ]
  `);
  expect(onText('a\n\u2066\n')).toMatchInlineSnapshot(`
    [
      "text.bidi a.txt@2 a control that reverses the direction of text",
    ]
  `);
  expect(onText('a\n\u200b\n')).toMatchInlineSnapshot(`
    [
      "text.invisible a.txt@2 a character that cannot be seen",
    ]
  `);
  expect(onText('a\n\u2029\n')).toMatchInlineSnapshot(`
    [
      "text.newline a.txt@2 a line separator that is not a line end",
    ]
  `);
  expect(onText('a\nb\ufeff\n')).toMatchInlineSnapshot(`
    [
      "text.bom a.txt@2 a byte order mark inside the text",
    ]
  `);
  expect(onText('\ufeffa\nb\n')).toMatchInlineSnapshot(`
    [
      "text.bom a.txt@0 a byte order mark",
    ]
  `);
  expect(onText(`a\n${'x'.repeat(2001)}\n`)).toMatchInlineSnapshot(`
    [
      "text.line a.txt@2 a line of more than 2000 characters",
    ]
  `);
  expect(onText(`a\n${'x'.repeat(2000)}\n`)).toEqual([]);
  expect(onText(Uint8Array.from([0x61, 0x0a, 0xff, 0x0a]))).toMatchInlineSnapshot(`
    [
      "text.encoding a.txt@2 bytes that are not UTF-8",
    ]
  `);
  expect(onText('x'.repeat(4001))).toMatchInlineSnapshot(`
    [
      "region.too-large a.txt@null 4001 bytes, at most 4000 fit",
      "text.final-newline a.txt@4001 the last line has no line end",
      "text.line a.txt@0 a line of more than 2000 characters",
    ]
  `);
});

test('a file with CRLF keeps it, one with both may write LF alone', () => {
  const contract = { editable: [{ file: 'a.txt', whole_file: true as const }] };
  const step = (before: string, after: string) =>
    said({ 'a.txt': before }, { 'a.txt': after }, contract);
  expect(step('a\r\nb\r\n', 'a\r\nc\n')).toMatchInlineSnapshot(`
    [
      "text.newline a.txt@3 a line that ends with LF where the file has CRLF",
    ]
  `);
  expect(step('a\r\nb\r\n', 'a\r\nc\r\n')).toEqual([]);
  expect(step('a\r\nb\n', 'a\r\nc\n')).toEqual([]);
  expect(step('a\r\nb\n', 'a\r\nc\r\n')).toMatchInlineSnapshot(`
    [
      "text.newline a.txt@3 a line that ends with CRLF where the file has LF",
    ]
  `);
  expect(step('', 'c\n')).toEqual([]);
});

test('what an entry allows by name is not refused, and is told', () => {
  const editable = [
    { file: 'a.txt', whole_file: true as const, text: { control: 'allow' as const } },
  ];
  const report = reportOn({ 'a.txt': 'a\n' }, { 'a.txt': '\u0007\u200b\n' }, { editable });
  expect(report.reasons.map(({ code }) => code)).toEqual(['text.invisible']);
  expect(report.warnings).toEqual([
    { code: 'note.text-allowed', path: 'a.txt', at: null, detail: 'text.control is allowed' },
  ]);
});

test('paths that came, went or changed their kind are said one by one', () => {
  const base: Files = { 'a.txt': '1\n', 'b.txt': '2\n', 'c.txt': '3\n', d: ['link', 'a.txt'] };
  const contract = {
    create: [{ glob: 'new/*.txt', max_files: 1, max_bytes: 3 }],
    delete: ['b.txt'],
  };
  const step = (after: Files) => said(base, after, contract);
  expect(step({ ...base, e: '4\n' })).toMatchInlineSnapshot(`
    [
      "path.added e@null a new path",
      "create.glob e@null no create glob fits",
    ]
  `);
  expect(step({ 'a.txt': '1\n', 'c.txt': '3\n', d: ['link', 'a.txt'] })).toEqual([]);
  expect(step({ 'b.txt': '2\n', 'c.txt': '3\n', d: ['link', 'a.txt'] })).toMatchInlineSnapshot(`
    [
      "path.removed a.txt@null a path of the base is gone",
    ]
  `);
  expect(step({ ...base, 'a.txt': ['exec', '1\n'] })).toMatchInlineSnapshot(`
    [
      "path.mode a.txt@null file became exec",
    ]
  `);
  expect(step({ ...base, d: '1\n' })).toMatchInlineSnapshot(`
    [
      "path.kind d@null link became file",
      "bytes.protected d@null a protected path has other content",
    ]
  `);
  expect(step({ ...base, 'new/a.txt': '1\n', 'new/b.txt': '2\n' })).toMatchInlineSnapshot(`
    [
      "create.cap new/b.txt@null more than 1 new files fit "new/*.txt"",
    ]
  `);
  expect(step({ ...base, 'new/a.txt': '123\n' })).toMatchInlineSnapshot(`
    [
      "create.cap new/a.txt@null 4 bytes are more than the glob allows",
    ]
  `);
  expect(step({ ...base, 'new/a.txt': ['exec', '1\n'] })).toMatchInlineSnapshot(`
    [
      "create.kind new/a.txt@null a new exec, expected a plain file",
    ]
  `);
  expect(step({ ...base, 'new/package.json': '{}\n' })).toMatchInlineSnapshot(`
    [
      "path.added new/package.json@null a new path",
      "create.glob new/package.json@null no create glob fits",
    ]
  `);
});

test('a tree that no disk could hold says why, and nothing else is judged', () => {
  const base: Files = { 'a.txt': '1\n', l: ['link', 'a.txt'] };
  const step = (after: Files) => said(base, { ...base, ...after }, {});
  expect(step({ 'A.txt': '' })).toMatchInlineSnapshot(`
    [
      "tree.collision A.txt@null a path that differs from another only in case or composition",
    ]
  `);
  expect(step({ 'a.txt/b': '' })).toMatchInlineSnapshot(`
    [
      "tree.path a.txt/b@null "a.txt" is no folder",
    ]
  `);
  expect(step({ 'nul.c': '' })).toMatchInlineSnapshot(`
    [
      "tree.portable nul.c@null a path that some file systems cannot hold",
    ]
  `);
  expect(step({ 'a\u0001': '' })).toMatchInlineSnapshot(`
    [
      "tree.path a@null a path that no tree may hold",
    ]
  `);
  expect(step({ l: ['link', '../../etc'] })).toMatchInlineSnapshot(`
    [
      "tree.link l@null a link that leaves the tree",
    ]
  `);
});

test('overrides and lifted rules are printed with every verdict', () => {
  const override = [{ path: 'test/a.ts', reason: 'flagged', approved_by: 'verdict:1' }];
  const forbidden = { packs: ['ts/io'], allow: [{ rule: 'ts/io', reason: 'reads a file' }] };
  const base = { 'test/a.ts': '1;\n' };
  const editable = [{ file: 'test/a.ts', whole_file: true as const }];
  const report = reportOn(base, { 'test/a.ts': '2;\n' }, { editable, override, forbidden });
  expect(report.reasons).toEqual([]);
  expect(report.warnings.map(({ code, path, detail }) => [code, path, detail])).toEqual([
    ['note.override', 'test/a.ts', 'flagged (approved by verdict:1)'],
    ['note.rule-lifted', null, 'ts/io: reads a file'],
  ]);
});
