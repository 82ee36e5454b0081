import { expect, test } from 'vitest';
import { readReport, reportFormats } from '../../../../stages/test-reports/formats/registry.ts';

const here = { root: '/work', package: null };
const encode = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, isBig = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return new Uint8Array(isBig ? bytes.swap16() : bytes);
};
const xml = (encoding: string, name = 'caf\u00e9') =>
  `<?xml version="1.0" encoding="${encoding}"?><testsuite><testcase classname="c" name="${name}"/></testsuite>`;
const read = (...files: Uint8Array[]) => reportFormats.junit(files, here);
const seen = (...files: Uint8Array[]) => {
  const { status, results } = read(...files);
  return { status, ids: results.map(({ id }) => id) };
};

test('without a file, with empty and with blank ones there is no report', () => {
  for (const files of [[], [encode('')], [encode(' \n'), encode('')]]) {
    for (const [name, parse] of Object.entries(reportFormats)) {
      const { status, results, problem } = parse(files, here);
      expect({ name, status, results }).toEqual({ name, status: 'no-report', results: [] });
      expect(problem).toMatch(/^(there is no report|the report is blank)$/);
    }
  }
});

test('an empty file among others spoils the run: its tests are not known', () => {
  expect(read(encode(xml('UTF-8')), encode(''))).toMatchObject({
    status: 'crashed',
    results: [],
    problem: 'one of the files is empty',
  });
});

test('a report without a test is no report, and never "all passed"', () => {
  expect(read(encode('<testsuites/>'))).toMatchObject({
    status: 'no-report',
    problem: 'the report has no test in it',
  });
});

test('text is read in the encoding that its mark or its declaration names', () => {
  const whole = { status: 'completed', ids: ['c > caf\u00e9'] };
  expect(seen(encode(xml('UTF-8')))).toEqual(whole);
  expect(seen(encode(`\ufeff${xml('UTF-8')}`))).toEqual(whole);
  expect(seen(utf16(xml('UTF-16')))).toEqual(whole);
  expect(seen(utf16(xml('UTF-16'), true))).toEqual(whole);
  expect(seen(new Uint8Array(Buffer.from(xml('ISO-8859-1'), 'latin1')))).toEqual(whole);
});

test('bytes that are no text in their encoding are unreadable', () => {
  const latin = new Uint8Array(Buffer.from(xml('UTF-8'), 'latin1'));
  for (const bytes of [latin, encode(xml('EBCDIC-OWN')), utf16(xml('UTF-16')).slice(0, -1)]) {
    expect(read(bytes)).toMatchObject({ status: 'unreadable', results: [] });
  }
});

test('entities are not expanded, and a document type is refused', () => {
  const bomb = `<!DOCTYPE t [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>`;
  expect(read(encode(bomb))).toMatchObject({
    status: 'unreadable',
    problem: 'the document is no XML: a document type is declared',
  });
  const unknown = '<testsuite><testcase name="&file;"/></testsuite>';
  expect(read(encode(unknown))).toMatchObject({ status: 'unreadable', results: [] });
});

test('elements nested deeper than any report are refused', () => {
  const deep = `${'<testsuite>'.repeat(5000)}${'</testsuite>'.repeat(5000)}`;
  expect(read(encode(deep))).toMatchObject({
    status: 'unreadable',
    problem: 'the document is no XML: elements are nested more than 64 deep',
  });
});

test('more bytes than any report has are not read', () => {
  const file = new Uint8Array(65 * 1024 * 1024).fill(32);
  expect(read(file, file).status).toBe('unreadable');
});

test('a document that is cut crashed, and one that is none is unreadable', () => {
  const text = xml('UTF-8');
  expect(read(encode(text.slice(0, -5))).status).toBe('crashed');
  expect(read(encode(`${text}<again/>`)).status).toBe('unreadable');
  expect(read(encode('<html><body/></html>'))).toMatchObject({
    status: 'unreadable',
    problem: 'a JUnit report begins with "testsuites", not "html"',
  });
  for (const format of ['jest-json', 'vitest-json', 'mocha-json'] as const) {
    const parse = reportFormats[format];
    expect(parse([encode('{"stats": {"tests": "}')], here).status).toBe('crashed');
    expect(parse([encode('{"stats": {"tests": [1, "}}]]\\"}')], here).status).toBe('crashed');
    expect(parse([encode('{"stats": [{"tests": "a"}, {')], here).status).toBe('crashed');
    expect(parse([encode('{"stats": no}')], here).status).toBe('unreadable');
    expect(parse([encode('Error: no\n{"a": 1}')], here).status).toBe('unreadable');
    expect(parse([encode('Error: no\n{"a": ')], here).status).toBe('unreadable');
    expect(parse([encode('{"a": 1}')], here).status).toBe('unreadable');
  }
});

test('files are taken in the order of their paths, whatever order a folder lists them in', () => {
  const suite = (mark: string) =>
    encode(`<testsuite><testcase classname="c" name="n">${mark}</testcase></testsuite>`);
  const files = [
    { path: 'b.xml', bytes: suite('<failure/>') },
    { path: 'a.xml', bytes: suite('') },
  ];
  const there = readReport('surefire-junit', files, here);
  expect(readReport('surefire-junit', files.toReversed(), here)).toEqual(there);
  expect(there.results.map(({ id, status }) => [id, status])).toEqual([
    ['c > n', 'passed'],
    ['c > n #2', 'failed'],
  ]);
});
