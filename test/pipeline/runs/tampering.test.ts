/** @module-tag slow */
import { describe, expect, test } from 'vitest';
import type { Runner } from '../../../schemas/environment.ts';
import { hasRunner, liveSpec, runProject } from '../../support/live-run.ts';

/** One wrong `add`, its test, and what the candidate does beside being wrong. */
type Forgery = readonly [name: string, code: string, extra?: Readonly<Record<string, string>>];
const none: Forgery = ['', ''];

const tests = {
  'node-test': {
    path: 'test/add.test.mjs',
    text: `import { test } from 'node:test';
import assert from 'node:assert/strict';
import { add } from '../src/add.mjs';
test('adds', () => assert.equal(add(1, 2), 3));
test('adds nothing', () => assert.equal(add(4, 0), 4));
`,
    source: 'src/add.mjs',
    wrong: 'export const add = (a, b) => a - b;\n',
  },
  vitest: {
    path: 'test/add.test.mjs',
    text: `import { expect, test } from 'vitest';
import { add } from '../src/add.mjs';
test('adds', () => expect(add(1, 2)).toBe(3));
test('adds nothing', () => expect(add(4, 0)).toBe(4));
`,
    source: 'src/add.mjs',
    wrong: 'export const add = (a, b) => a - b;\n',
  },
  unittest: {
    path: 'tests/test_add.py',
    text: `import unittest
from src.add import add
class Adds(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(add(1, 2), 3)
    def test_adds_nothing(self):
        self.assertEqual(add(4, 0), 4)
`,
    source: 'src/add.py',
    wrong: 'def add(a, b):\n    return a - b\n',
  },
  pytest: {
    path: 'tests/test_add.py',
    text: `from src.add import add
def test_adds():
    assert add(1, 2) == 3
def test_adds_nothing():
    assert add(4, 0) == 4
`,
    source: 'src/add.py',
    wrong: 'def add(a, b):\n    return a - b\n',
  },
} as const satisfies Partial<Record<Runner, object>>;

const forgeries: Readonly<Record<keyof typeof tests, readonly Forgery[]>> = {
  'node-test': [
    [
      'replaces one comparison',
      `import assert from 'node:assert/strict'; assert.equal = () => {};`,
    ],
  ],
  vitest: [
    [
      'bends the matchers',
      `import { expect } from 'vitest'; expect.extend({ toBe: () => ({ pass: true, message: () => '' }) });`,
    ],
    ['bends equality itself', 'Object.is = () => true;'],
  ],
  unittest: [
    [
      'replaces one comparison',
      'import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None',
    ],
    [
      'turns failures into successes',
      'import sys\nResult = sys.modules["__main__"].Result\nResult.addFailure = lambda self, test, err: self.addSuccess(test)',
    ],
  ],
  pytest: [
    [
      'rewrites outcomes by a hook',
      '',
      {
        'conftest.py': `import pytest
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = 'passed'
`,
      },
    ],
    [
      'rewrites the calls of tests',
      `import _pytest.python
_pytest.python.Function.runtest = lambda self: None`,
    ],
  ],
};

/** Beside the forgery every candidate is wrong: without it no test but the second passes. */
const project = (runner: keyof typeof tests, [, code, extra = {}]: Forgery) => {
  const { path, text, source, wrong } = tests[runner];
  const tree = { 'package.json': '{}', [path]: text, [source]: `${code}\n${wrong}`, ...extra };
  return { tree: { 'src/__init__.py': '', ...tree }, files: [path] };
};

describe.each(['node-test', 'vitest', 'unittest', 'pytest'] as const)('%s', (runner) => {
  test
    .skipIf(hasRunner[runner] !== true)
    .each(forgeries[runner].map((one) => ({ name: one[0], one })))(
    'a candidate that $name has tampered, and nothing its run says is believed',
    async ({ one }) => {
      const result = await runProject(liveSpec(runner), project(runner, one));
      expect(result).toMatchObject({
        status: 'unreadable',
        tampered: expect.stringContaining('must fail is reported as passed'),
        report: { complete: false, results: [] },
      });
    },
  );

  test.skipIf(hasRunner[runner] !== true)(
    'a candidate that is only wrong has failed, and its report says which test',
    async () => {
      const result = await runProject(liveSpec(runner), project(runner, none));
      expect(result.tampered).toBeUndefined();
      expect(result).toMatchObject({ status: 'completed', exitCode: 1 });
      expect(result.report.results.map(({ status }) => status).toSorted()).toEqual([
        'failed',
        'passed',
      ]);
    },
  );

  test.skipIf(hasRunner[runner] !== true)(
    'a right candidate passes with exit 0, whatever the sentinels made of the process',
    async () => {
      const { tree, files } = project(runner, none);
      const { source, wrong } = tests[runner];
      const right = { ...tree, [source]: wrong.replace('a - b', 'a + b') };
      const result = await runProject(liveSpec(runner), { tree: right, files });
      expect(result).toMatchObject({ status: 'completed', exitCode: 0, drift: [] });
      expect(result.report.results.map(({ status }) => status)).toEqual(['passed', 'passed']);
    },
  );
});

test.skipIf(hasRunner.pytest !== true).each(['unittest', 'pytest'] as const)(
  'a candidate that turns the exit of %s into success has no completed run',
  async (runner) => {
    const leaves: Forgery = ['', 'import atexit, os\natexit.register(os._exit, 0)'];
    const result = await runProject(liveSpec(runner), project(runner, leaves));
    expect(result).toMatchObject({ status: 'crashed', exitCode: 0 });
  },
);
