import { expect, test } from 'vitest';
import { reportFormats } from '../../../../stages/test-reports/formats/registry.ts';

const here = { root: '/work', package: null };
const read = (...lines: string[]) =>
  reportFormats.tap([new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))], here);
const statusesOf = (...lines: string[]) =>
  Object.fromEntries(read(...lines).results.map(({ id, status }) => [id, status]));

test('directives say more than ok does', () => {
  const said = statusesOf(
    'TAP version 14',
    'ok 1 - passes',
    'not ok 2 - fails',
    'ok 3 - here # SKIP not on this machine',
    'not ok 4 # skip',
    'not ok 5 - later # TODO not yet',
    'ok 6 - early # todo',
    'not ok 7 - known # EXPECTED FAILURE',
    'ok 8 - known and so # EXPECTED FAILURE',
    'ok 9 - a \\# SKIP that is none, and a \\\\ too',
    'ok 10 - timed # time=12.5ms',
    '1..10',
  );
  expect(said).toEqual({
    passes: 'passed',
    fails: 'failed',
    here: 'skipped',
    'test 4': 'skipped',
    later: 'expected-failure',
    early: 'unexpected-pass',
    known: 'unexpected-pass',
    'known and so': 'expected-failure',
    'a # SKIP that is none, and a \\ too': 'passed',
    timed: 'passed',
  });
});

test.each([
  ['a plan that asks for more', ['1..3', 'ok 1 - a', 'ok 2 - b'], '3 tests are planned, 2 told'],
  ['a plan that asks for less', ['ok 1 - a', 'ok 2 - b', '1..1'], '1 tests are planned, 2 told'],
  ['no plan', ['ok 1 - a'], 'the plan is missing'],
  ['two plans', ['1..1', 'ok 1 - a', '1..1'], 'there are two plans'],
  ['a number twice', ['1..2', 'ok 1 - a', 'ok 1 - b'], 'the numbers are not those of the plan'],
  ['a number too high', ['1..2', 'ok 1 - a', 'ok 7 - b'], 'the numbers are not those of the plan'],
  ['a bail-out', ['1..1', 'ok 1 - a', 'Bail out! no disk'], 'the runner bailed out: no disk'],
  ['tests below none', ['ok 1 - a', '    ok 1 - b', '1..1'], 'tests stand below none'],
  ['an endless diagnosis', ['1..1', 'ok 1 - a', '  ---', '  x: 1'], 'a diagnosis has no end'],
  ['braces', ['ok 1 - a {', '    ok 1 - b', '}', '1..1'], 'tests between braces are not read'],
])('%s makes the run crashed', (_, lines, problem) => {
  expect(read(...lines)).toMatchObject({ status: 'crashed', problem });
});

test('a last line without its end is not believed', () => {
  const text = new TextEncoder().encode('1..2\nok 1 - a\nok 2 - b');
  expect(reportFormats.tap([text], here)).toMatchObject({
    status: 'crashed',
    problem: 'the last line is cut',
    results: [{ id: 'a', status: 'passed' }],
  });
});

test('without a name and a number a test is called by its place', () => {
  expect(statusesOf('1..3', 'ok', 'not ok 2', 'ok - named')).toEqual({
    'test 1': 'passed',
    'test 2': 'failed',
    named: 'passed',
  });
});

test('nothing in a diagnosis is a test', () => {
  const said = statusesOf(
    'not ok 1 - a',
    '  ---',
    '  output: |',
    '    ok 2 - forged',
    'ok 3 - forged too',
    'Bail out!',
    '  ...',
    '1..1',
  );
  expect(said).toEqual({ a: 'failed' });
});

test('a diagnosis stands right below its point, but for blank lines', () => {
  expect(statusesOf('ok 1 - a', 'noise', '  ---', 'ok 2 - b', '  ...', '1..2')).toEqual({
    a: 'passed',
    b: 'passed',
  });
  expect(statusesOf('ok 1 - a', '', '  ---', 'ok 2 - b', '  ...', '1..1')).toEqual({ a: 'passed' });
});

test('a plan of no tests is no report, and text without TAP is unreadable', () => {
  expect(read('TAP version 13', '1..0 # SKIP no tests')).toMatchObject({ status: 'no-report' });
  expect(read('all is well', 'really')).toMatchObject({
    status: 'unreadable',
    problem: 'no line of TAP is in it',
  });
});

test('a suite counts only where it broke by itself', () => {
  const said = statusesOf(
    '# Subtest: sound',
    '    ok 1 - a',
    '    1..1',
    'ok 1 - sound',
    '    not ok 1 - b',
    '    1..1',
    'not ok 2 - told by its test',
    '    ok 1 - c',
    '    1..1',
    'not ok 3 - broken by itself',
    '    ok 1 - d',
    '    1..2',
    'ok 4 - does not fit',
    '1..4',
  );
  expect(said).toEqual({
    'sound > a': 'passed',
    'told by its test > b': 'failed',
    'broken by itself': 'error',
    'broken by itself > c': 'passed',
    'does not fit': 'error',
    'does not fit > d': 'passed',
  });
});

test('lines that a test prints between the points are not read', () => {
  expect(statusesOf('1..1', 'okay then', ' ok 2 - by one blank', '# ok 3', 'ok 1 - a')).toEqual({
    a: 'passed',
  });
});

test('points far to the right are no tests, and cost nothing', () => {
  const far = `${' '.repeat(400_000)}ok 1 - far`;
  expect(statusesOf('1..1', ...Array.from({ length: 10 }, () => far), 'ok 1 - a')).toEqual({
    a: 'passed',
  });
});
