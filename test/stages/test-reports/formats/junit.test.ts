import { expect, test } from 'vitest';
import {
  type ReportFormatName,
  reportFormats,
} from '../../../../stages/test-reports/formats/registry.ts';

const here = { root: '/work', package: null };
const read = (format: ReportFormatName, text: string) =>
  reportFormats[format]([new TextEncoder().encode(text)], here);
const statusesOf = (format: ReportFormatName, text: string) =>
  Object.fromEntries(read(format, text).results.map(({ id, status }) => [id, status]));
const one = (marks: string, attributes = '', format: ReportFormatName = 'junit') =>
  statusesOf(
    format,
    `<testsuite><testcase classname="c" name="n" ${attributes}>${marks}</testcase></testsuite>`,
  )['c > n'];

test('only a test without any mark has passed, and a mark that nobody knows is an error', () => {
  expect(one('')).toBe('passed');
  expect(one('<system-out>ok</system-out><properties><property name="a"/></properties>')).toBe(
    'passed',
  );
  expect(one('<failure/>')).toBe('failed');
  expect(one('<error/>')).toBe('error');
  expect(one('<skipped/>')).toBe('skipped');
  expect(one('<blocked/>')).toBe('error');
  expect(one('<constructor/>')).toBe('error');
  expect(one('<skipped/><failure/>')).toBe('failed');
  expect(one('<failure/><error/>')).toBe('failed');
});

test('a mark inside of what a test printed is none', () => {
  expect(one('<system-out><![CDATA[</testcase><failure/>]]></system-out>')).toBe('passed');
  expect(one('<system-out><failure/></system-out>')).toBe('passed');
  expect(one('<failure><skipped/></failure>')).toBe('failed');
});

test('words of the attributes count where they are worse than the marks', () => {
  expect(one('', 'status="run"')).toBe('passed');
  expect(one('', 'status="PASSED"')).toBe('passed');
  expect(one('', 'status="notrun" result="suppressed"')).toBe('error');
  expect(one('', 'status="fail"')).toBe('failed');
  expect(one('', 'result="skipped"')).toBe('skipped');
  expect(one('', 'status="inconclusive"')).toBe('error');
  expect(one('', 'status="constructor"')).toBe('error');
});

test('a test that passed when it was tried again is flaky, and one that never did has failed', () => {
  for (const format of ['surefire-junit', 'gradle-junit'] as const) {
    expect(one('<flakyFailure/>', '', format)).toBe('flaky');
    expect(one('<flakyError/>', '', format)).toBe('flaky');
    expect(one('<failure/><rerunFailure/>', '', format)).toBe('failed');
  }
  const nextest = (marks: string) =>
    `<testsuites><testsuite name="p::bin"><testcase name="tests::a" classname="p::bin">${marks}</testcase></testsuite></testsuites>`;
  expect(statusesOf('nextest-junit', nextest('<flakyFailure/>'))).toEqual({
    'p::bin > tests::a': 'flaky',
  });
  expect(statusesOf('nextest-junit', nextest('<failure/><rerunFailure/>'))).toEqual({
    'p::bin > tests::a': 'failed',
  });
  expect(one('<rerunFailure/>')).toBe('flaky');
  expect(one('<rerunError/>', '', 'nextest-junit')).toBe('flaky');
});

test('what breaks in a suite outside of its tests is an error of the suite', () => {
  const text = '<testsuite name="s"><error message="no set-up"/><testcase name="n"/></testsuite>';
  expect(read('junit', text).results).toMatchObject([
    { id: 's', status: 'error', message: 'no set-up' },
    { id: 's > n', status: 'passed' },
  ]);
  expect(statusesOf('junit', '<testsuite><failure/></testsuite>')).toEqual({
    '(no name)': 'failed',
  });
});

test('failures that are counted and in no test make the report incomplete', () => {
  for (const mark of ['', '<skipped/>']) {
    const test = `<testcase name="n">${mark}</testcase>`;
    expect(read('junit', `<testsuite failures="1">${test}</testsuite>`)).toMatchObject({
      status: 'crashed',
      problem: 'failures are counted, and no test has one',
    });
  }
});

test('characters that XML does not allow are read past, raw and as references', () => {
  const text =
    '<testsuite><testcase name="\u001b[31mred\u001b[0m &#27;[1mbold&#x1b;[0m &#0;\u0001&#65;"/></testsuite>';
  expect(read('junit', text).results.map(({ id }) => id)).toEqual(['red bold \ufffd\ufffdA']);
});

test('a line counts from 1, and in reports of pytest from 0', () => {
  const lineOf = (format: ReportFormatName, line: string) =>
    read(format, `<testsuite><testcase classname="c" name="n" line="${line}"/></testsuite>`)
      .results[0]?.line;
  expect(lineOf('junit', '7')).toBe(7);
  expect(lineOf('junit', '0')).toBeNull();
  expect(lineOf('junit', '')).toBeNull();
  expect(lineOf('junit', '1.5')).toBeNull();
  expect(lineOf('pytest-junit', '7')).toBe(8);
  expect(lineOf('pytest-junit', '0')).toBe(1);
  expect(lineOf('pytest-junit', '')).toBeNull();
});

test('a message is taken from the attribute, else from the text', () => {
  const said = (marks: string) =>
    read('junit', `<testsuite><testcase name="n">${marks}</testcase></testsuite>`).results[0]
      ?.message;
  expect(said('<failure message="short">long</failure>')).toBe('short');
  expect(said('<failure message=""><![CDATA[<long>]]></failure>')).toBe('<long>');
  expect(said('<failure/>')).toBeNull();
});

test('pytest: an expected failure whose tear-down broke is an error', () => {
  const text = `<testsuite><testcase classname="m" name="t"><skipped type="pytest.xfail"/></testcase>
    <testcase classname="m" name="t"><error message="failed on teardown"/></testcase></testsuite>`;
  expect(statusesOf('pytest-junit', text)).toEqual({ 'm::t': 'error' });
});

test('node:test: a suite that a hook broke is an error, and a time limit is one', () => {
  const text = (type: string) =>
    `<testsuites><testcase name="t" file="/work/a.mjs"><failure type="${type}"/></testcase></testsuites>`;
  expect(statusesOf('node-test-junit', text('hookFailed'))).toEqual({ 'a.mjs > t': 'error' });
  expect(statusesOf('node-test-junit', text('testTimeoutFailure'))).toEqual({
    'a.mjs > t': 'error',
  });
});

test('PHPUnit: a risky test that also failed has failed', () => {
  const risky = '<error type="PHPUnit\\Framework\\RiskyTestError"/>';
  expect(one(risky, '', 'phpunit-junit')).toBeUndefined();
  const text = (marks: string) =>
    `<testsuite><testcase class="C" name="n">${marks}</testcase></testsuite>`;
  expect(statusesOf('phpunit-junit', text(risky))).toEqual({ 'C > n': 'skipped' });
  expect(statusesOf('phpunit-junit', text(`${risky}<failure/>`))).toEqual({ 'C > n': 'failed' });
});
