import { describe, expect, test } from 'vitest';
import {
  picksTests,
  sentinelNames,
  withSentinels,
} from '../../../stages/test-reports/sentinel-code.ts';
import { readSentinels, type Sentinels } from '../../../stages/test-reports/sentinels.ts';

const sentinels: Sentinels = { good: 'gggg', bad: 'bbbb', files: [{ path: 'a.py', kinds: 1 }] };
const whole: Parameters<typeof readSentinels>[2] = { complete: true, code: 1 };
const seen = (statuses: Readonly<Record<string, string>>) =>
  Object.entries(statuses).map(([name, status]) => ({
    id: name === '' ? 'a.py' : `a.py > ${name}`,
    file: 'a.py',
    status,
  }));
const verdict = (statuses: Readonly<Record<string, string>>, run = whole) =>
  readSentinels(seen(statuses), sentinels, run).verdict;

const honest = { adds: 'passed', gggg: 'passed', bbbb: 'failed' };

describe('an honest run holds', () => {
  test.each([
    ['as it should be', honest],
    ['when a hook breaks every test of the file', { adds: 'error', gggg: 'error', bbbb: 'error' }],
    ['when the file cannot be loaded', { '': 'error' }],
    ['when the file skips itself', { adds: 'skipped', gggg: 'skipped', bbbb: 'skipped' }],
    ['when the test that must fail meets a broken hook', { ...honest, bbbb: 'error' }],
  ])('%s', (_, statuses) => {
    expect(verdict(statuses)).toBe('held');
  });
});

describe('a run is bent', () => {
  test.each([
    ['the test that must fail passes', { ...honest, bbbb: 'passed' }],
    ['the test that must fail passes in a file of failures', { adds: 'failed', bbbb: 'passed' }],
    ['the test that must fail passes on a retry', { ...honest, bbbb: 'flaky' }],
    ['the test that must fail passes against its mark', { ...honest, bbbb: 'unexpected-pass' }],
    ['the test that must fail is skipped', { ...honest, bbbb: 'skipped' }],
    ['the test that must fail is excused', { ...honest, bbbb: 'expected-failure' }],
    ['the test that must fail is missing', { adds: 'passed', gggg: 'passed' }],
    ['both are missing', { adds: 'passed' }],
    ['the test that must pass fails beside one that passes', { ...honest, gggg: 'failed' }],
  ])('when %s', (_, statuses) => {
    expect(verdict(statuses)).toBe('bent');
  });

  test('when it leaves with success before its end', () => {
    expect(verdict({ adds: 'passed' }, { complete: false, code: 0 })).toBe('bent');
  });
});

describe('a crash is no forgery', () => {
  test.each([
    ['of the whole run', { adds: 'passed' }, { complete: false, code: 139 }],
    ['by a signal or the time limit', { adds: 'passed' }, { complete: false, code: null }],
    ['of one file', { adds: 'passed', '': 'error' }, whole],
  ])('%s', (_, statuses, run) => {
    expect(verdict(statuses, run)).toBe('lost');
  });
});

const names = sentinelNames(Uint8Array.from({ length: 32 }, (_, at) => at * 7));
const placed = (runner: string, path: string, text: string) => {
  const made = withSentinels(runner, path, Buffer.from(text), names);
  return made === null ? null : Buffer.from(made.bytes).toString().slice(text.length);
};

test('names differ, are letters alone, and change with the bytes they come from', () => {
  expect(names.good).toMatch(/^[a-z]{14}$/);
  expect(names.bad).toMatch(/^[a-z]{14}$/);
  expect(names.bad).not.toBe(names.good);
  expect(sentinelNames(new Uint8Array(32).fill(9)).good).not.toBe(names.good);
});

test('the bytes of the file stay in front, so that no line moves', () => {
  const text = "import { test } from 'node:test';\n";
  const made = withSentinels('node-test', 'a.mjs', Buffer.from(text), names);
  expect(
    Buffer.from(made?.bytes ?? [])
      .toString()
      .startsWith(text),
  ).toBe(true);
});

describe('modules come as the file gets its own', () => {
  test.each([
    ['import', 'a.test.js', "import { test } from 'node:test';", /import \{ test as/],
    ['import', 'a.test.mts', '', /import \{ test as/],
    ['require', 'a.test.js', "const t = require('node:test');", /= require\('node:test'\)/],
    ['require', 'a.test.cts', "import t = require('node:test');", /= require\('node:test'\)/],
    [
      'require',
      'a.test.js',
      "/*\nimport of goods\n*/\nconst t = require('node:test');",
      /= require\('node:test'\)/,
    ],
    ['the process', 'a.test.js', "await import('./more.js');", /getBuiltinModule\('node:test'\)/],
  ])('by %s in %s', (_, path, text, pattern) => {
    expect(placed('node-test', path, text)).toMatch(pattern);
  });
});

test.each(['jest', 'mocha'])('%s gets code that no compiler checks, and no callback', (runner) => {
  const code = placed(runner, 'a.test.ts', '') ?? '';
  const lines = code.trim().split('\n');
  expect(lines.filter((_, at) => at % 2 === 0).every((line) => line === '// @ts-ignore')).toBe(
    true,
  );
  expect(code).not.toContain('async (t)');
});

describe('pytest gets a pair for each kind of test', () => {
  test.each([
    ['functions', 'def test_x(): pass\n', 1, /^def test_/m],
    ['classes', 'class TestX:\n    def test_x(self): pass\n', 1, /^class Test\w+:/m],
    ['cases', 'from unittest import TestCase\nclass TestX(TestCase): ...\n', 1, /TestCase\)/],
    ['cases where no name is usual', 'def it_adds(): pass\n', 1, /TestCase\)/],
    ['both', 'def test_x(): pass\nclass TestX:\n    ...\n', 2, /^class Test\w+:/m],
  ])('%s', (_, text, kinds, pattern) => {
    const made = withSentinels('pytest', 'test_a.py', Buffer.from(text), names);
    expect(made?.kinds).toBe(kinds);
    expect(Buffer.from(made?.bytes ?? []).toString()).toMatch(pattern);
  });
});

test.each([
  ['unittest', 'def load_tests(loader, tests, pattern): ...\n'],
  ['pytest', 'pytestmark = [pytest.mark.parametrize("x", [1])]\n'],
  ['ava', ''],
])('a file of %s that decides itself what runs carries none', (runner, text) => {
  expect(placed(runner, 'test_a.py', text)).toBeNull();
});

test.each([
  [['--test-only'], true],
  [['--test-name-pattern=adds'], true],
  [['-t', 'adds'], true],
  [['-k', 'not slow'], true],
  [['--deselect=tests/test_a.py::test_x'], true],
  [['--import', './setup.mjs', '--maxWorkers=2'], false],
  [[], false],
])('a run with %j leaves tests out: %s', (argv, picks) => {
  expect(picksTests(argv)).toBe(picks);
});
