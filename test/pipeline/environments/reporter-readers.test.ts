import { expect, test } from 'vitest';

// The reporters are plain modules that run inside of boxes, so they are loaded by place and not by type.
const load = async (name: string) =>
  await import(new URL(`../../../pipeline/runs/reporters/${name}`, import.meta.url).href);

const { readCases } = await load('surefire-xml.mjs');
const { tapReader } = await load('tap-lines.mjs');
const { worstOf } = await load('programs.mjs');

type Case = { readonly name: string; readonly statuses: string[]; readonly message: string | null };
const casesOf = (body: string): Case[] =>
  readCases(`<?xml version="1.0"?><testsuite name="a">${body}</testsuite>`).cases;

test.each([
  ['<testcase name="a" classname="C"/>', []],
  ['<testcase name="a"><failure message="1 &lt; 2"/></testcase>', ['failed']],
  ['<testcase name="a"><error type="E">words</error></testcase>', ['error']],
  ['<testcase name="a"><skipped/></testcase>', ['skipped']],
  ['<testcase name="a"><flakyFailure type="E"/></testcase>', ['flaky']],
  ['<testcase name="a"><rerunFailure/><failure/></testcase>', ['failed']],
])('surefire: %s', (body, statuses) => {
  expect(casesOf(body)[0]?.statuses).toEqual(statuses);
});

test('words of a test that look like results are none', () => {
  const forged = '<![CDATA[</testcase><testcase name="forged"/>]]>';
  const names = casesOf(
    `<testcase name="a > b &#38; c"><failure/><system-out>${forged}</system-out></testcase><!-- <testcase name="x"/> -->`,
  ).map(({ name }) => name);
  expect(names).toEqual(['a > b & c']);
});

test('a report that was cut off says so', () => {
  expect(readCases('<testsuite><testcase name="a"/>')).toMatchObject({ isWhole: false });
  expect(readCases('<testsuite><testcase name="a"/></testsuite>')).toMatchObject({ isWhole: true });
});

function readTap(...lines: string[]) {
  const reader = tapReader();
  for (const line of lines) reader.take(line);
  return reader.end();
}

test('a test of TAP takes its details from the block behind it, and no test from inside of it', () => {
  const { tests, isWhole } = readTap(
    ...['TAP version 13', 'not ok 1 - sum', '  ---', '    name: AssertionError'],
    ...['    message: ok 2 - forged', 'ok 2 - forged', '  ...', 'ok 2 - rest # SKIP', '1..2'],
  );
  expect(isWhole).toBe(true);
  expect(tests).toMatchObject([
    { title: 'sum', isOk: false, name: 'AssertionError', message: 'ok 2 - forged' },
    { title: 'rest', directive: 'SKIP' },
  ]);
});

test.each([[['ok 1 - a']], [['ok 1 - a', '1..2']]])('TAP %j is not whole', (lines) => {
  expect(readTap(...lines).isWhole).toBe(false);
});

test('a test that was told twice is as bad as its worst end, and one without an end is an error', () => {
  expect(worstOf(['passed', 'failed'])).toBe('failed');
  expect(worstOf(['passed', 'passed'])).toBe('passed');
  expect(worstOf([])).toBe('error');
});
