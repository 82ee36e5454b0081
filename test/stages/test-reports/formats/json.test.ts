import { describe, expect, test } from 'vitest';
import { reportFormats } from '../../../../stages/test-reports/formats/registry.ts';

const here = { root: '/work', package: null };
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const pairs = (results: readonly { id: string; status: string }[]) =>
  Object.fromEntries(results.map(({ id, status }) => [id, status]));

describe('jest and vitest', () => {
  const told = (parts: object = {}) => ({
    ancestorTitles: [],
    title: 't',
    status: 'passed',
    ...parts,
  });
  const report = (assertions: object[], parts: object = {}, file: object = {}) => ({
    numTotalTests: assertions.length,
    testResults: [
      {
        name: '/work/a.test.js',
        status: 'passed',
        message: '',
        assertionResults: assertions,
        ...file,
      },
    ],
    ...parts,
  });
  const read = (value: unknown) => reportFormats['jest-json']([bytesOf(value)], here);

  test.each(['focused', 'constructor', ''])(
    'the word "%s", which neither says, is an error',
    (status) => {
      expect(pairs(read(report([told({ status })])).results)).toEqual({ 'a.test.js > t': 'error' });
    },
  );

  test('a file that failed without a test that did is an error of the file', () => {
    expect(read(report([told()], {}, { status: 'failed', message: '' })).results).toMatchObject([
      { id: 'a.test.js', status: 'error', message: 'the file failed outside of its tests' },
      { id: 'a.test.js > t', status: 'passed' },
    ]);
  });

  test('a run that was interrupted, or tells fewer tests than it counts, crashed', () => {
    expect(read(report([told()], { wasInterrupted: true }))).toMatchObject({
      status: 'crashed',
      problem: 'the run was interrupted',
    });
    expect(read(report([told()], { numTotalTests: 2 }))).toMatchObject({
      status: 'crashed',
      problem: '2 tests are counted, 1 told',
    });
  });

  test('a test knows its line where the runner says it', () => {
    expect(read(report([told({ location: { line: 7, column: 1 } })])).results[0]?.line).toBe(7);
  });
});

describe('mocha', () => {
  const told = (title: string, parts: object = {}) => ({
    title,
    fullTitle: title,
    file: '/work/a.js',
    currentRetry: 0,
    err: {},
    ...parts,
  });
  type Lists = { tests?: object[]; passes?: object[]; pending?: object[]; failures?: object[] };
  const read = (lists: Lists, stats: object = {}) => {
    const all = { tests: [], passes: [], pending: [], failures: [], ...lists };
    const counts = Object.fromEntries(
      Object.entries(all).map(([name, list]) => [name, list.length]),
    );
    return reportFormats['mocha-json']([bytesOf({ stats: { ...counts, ...stats }, ...all })], here);
  };

  test('a test that is in no list of results is an error', () => {
    expect(pairs(read({ tests: [told('t')] }).results)).toEqual({ 'a.js > t': 'error' });
    const hurt = told('t', { err: { message: 'no' } });
    expect(pairs(read({ tests: [hurt], passes: [hurt] }).results)).toEqual({ 'a.js > t': 'error' });
  });

  test('equal titles of two files are two tests', () => {
    const [broken, there] = [
      told('t', { err: { message: 'no' } }),
      told('t', { file: '/work/b.js' }),
    ];
    const lists = { tests: [broken, there], passes: [there], failures: [broken] };
    expect(pairs(read(lists).results)).toEqual({ 'a.js > t': 'failed', 'b.js > t': 'passed' });
    const silent = { ...lists, tests: [told('t'), there] };
    expect(pairs(read(silent).results)).toEqual({ 'a.js > t': 'failed', 'b.js > t': 'passed' });
  });

  test('of namesakes the failed one is found, and where that cannot be known all have failed', () => {
    const failed = told('t', { err: { message: 'no' } });
    const lists = { tests: [told('t'), failed], passes: [told('t')], failures: [failed] };
    expect(pairs(read(lists).results)).toEqual({ 'a.js > t': 'passed', 'a.js > t #2': 'failed' });
    const silent = { ...lists, tests: [told('t'), told('t')] };
    expect(pairs(read(silent).results)).toEqual({ 'a.js > t': 'failed', 'a.js > t #2': 'failed' });
  });

  test('a test whose hook broke after it passed is an error, and its namesake elsewhere is not', () => {
    const hook = told('"after each" hook: clean for "t"', {
      fullTitle: 's "after each" hook: clean for "t"',
      err: { message: 'no' },
    });
    const inner = told('t', { fullTitle: 's inner t' });
    const other = told('t', { fullTitle: 'other t' });
    const lists = { tests: [inner, other], passes: [inner, other], failures: [hook] };
    expect(pairs(read(lists).results)).toEqual({
      'a.js > s inner t': 'error',
      'a.js > other t': 'passed',
      'a.js > s "after each" hook: clean for "t"': 'error',
    });
  });

  test('counts that do not fit the lists make the run crashed', () => {
    const one = [told('t')];
    expect(read({ tests: one, passes: one }, { failures: 1 })).toMatchObject({
      status: 'crashed',
      problem: '1 failures are counted, 0 told',
    });
  });
});
