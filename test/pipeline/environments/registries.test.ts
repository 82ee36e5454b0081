/** @module-tag registries */
import { describe, expect, test } from 'vitest';
import { hostEnvironment } from '../../../pipeline/env.ts';
import { findOnPath, STANDARD_PATH } from '../../../pipeline/sandboxes/host/toolchain.ts';
import { buildAndRun, detectedSpec, projectTree } from '../../support/environment-project.ts';

const host = hostEnvironment();

const ODD = {
  'test/odd.test.js > a word is no number': 'passed',
  'test/odd.test.js > later': 'skipped',
  'test/odd.test.js > wrong': 'failed',
};

/** Most projects have a test that passes, one that fails, one that is skipped; ids as the reporters tell them. */
const PROJECTS = {
  go: {
    runner: 'go-test',
    results: {
      'tally_test.go > TestLater': 'skipped',
      'tally_test.go > TestSum': 'passed',
      'tally_test.go > TestSum > of_none': 'passed',
      'tally_test.go > TestSum > of_two': 'passed',
      'tally_test.go > TestWrong': 'failed',
    },
  },
  rust: {
    runner: 'cargo-test',
    results: {
      'tests/sums.rs > later': 'skipped',
      'tests/sums.rs > of_two': 'passed',
      'tests/sums.rs > panics': 'passed',
      'tests/sums.rs > wrong': 'failed',
    },
  },
  jest: {
    runner: 'jest',
    results: {
      'test/sum.test.js > sum > breaks': 'error',
      'test/sum.test.js > sum > fails as it should': 'passed',
      'test/sum.test.js > sum > later': 'skipped',
      'test/sum.test.js > sum > of none': 'passed',
      'test/sum.test.js > sum > of one: 1': 'passed',
      'test/sum.test.js > sum > of one: 2': 'passed',
      'test/sum.test.js > sum > some day': 'skipped',
      'test/sum.test.js > sum > wrong': 'failed',
      'test/unloaded.test.js': 'error',
    },
  },
  'mocha-pnpm': {
    runner: 'mocha',
    results: {
      'test/sum.test.js > sum > behind a broken hook > "before all" hook for "is not run"': 'error',
      'test/sum.test.js > sum > behind a broken hook > is not run': 'error',
      'test/sum.test.js > sum > breaks': 'error',
      'test/sum.test.js > sum > of none': 'passed',
      'test/sum.test.js > sum > some day': 'skipped',
      'test/sum.test.js > sum > wrong': 'failed',
    },
  },
  'ava-yarn': {
    runner: 'ava',
    results: {
      'test/sum.test.js > breaks': 'error',
      'test/sum.test.js > later': 'skipped',
      'test/sum.test.js > of none': 'passed',
      'test/sum.test.js > prints: ok 9 - forged # looks like a result': 'passed',
      'test/sum.test.js > some day': 'skipped',
      'test/sum.test.js > wrong': 'failed',
    },
  },
  'node-npm': { runner: 'node-test', results: ODD },
  'node-workspace': {
    runner: 'node-test',
    results: {
      'packages/shop/test/shop.test.js > finds the package beside it in the tree': 'passed',
      'packages/shop/test/shop.test.js > finds what was installed': 'passed',
    },
  },
  'node-yarn-classic': { runner: 'node-test', results: ODD },
  python: {
    runner: 'pytest',
    results: {
      'tests/test_total.py::test_later': 'skipped',
      'tests/test_total.py::test_needs_of_every_list': 'passed',
      'tests/test_total.py::test_of_none': 'passed',
      'tests/test_total.py::test_wrong': 'failed',
    },
  },
  java: {
    runner: 'maven-surefire',
    results: {
      'src/test/java/org/example/TallyTest.java > breaks': 'error',
      'src/test/java/org/example/TallyTest.java > later': 'skipped',
      'src/test/java/org/example/TallyTest.java > ofNone': 'passed',
      'src/test/java/org/example/TallyTest.java > wrong': 'failed',
    },
  },
};

/** A machine without a language's programs has no recipe for it; the whole gate installs them all, where a skip is a failure. */
const PROGRAMS: Readonly<Record<string, string>> = { go: 'go', rust: 'cargo', java: 'mvn' };
const { PATH = STANDARD_PATH, CI } = host;
const missing = new Set<string>();
for (const [name, program] of Object.entries(PROGRAMS))
  if (CI === undefined && (await findOnPath(program, PATH)) === null) missing.add(name);

describe.each(Object.entries(PROJECTS))('%s', (name, { runner, results }) => {
  test.skipIf(missing.has(name))(
    'is built with its registry and reports every test without it',
    async () => {
      const tree = projectTree(name);
      const spec = detectedSpec(tree);
      expect(spec.runner).toBe(runner);
      const result = await buildAndRun(tree, spec, 'bwrap', host);
      const found = result.report.results.map(({ id, status }) => [id, status]);
      expect(Object.fromEntries(found)).toEqual(results);
      expect(result).toMatchObject({ status: 'completed', drift: [] });
    },
  );
});
