/** @module-tag registries */
import { describe, expect, test } from 'vitest';
import { hostEnvironment } from '../../../pipeline/env.ts';
import { buildAndRun, detectedSpec, projectTree } from '../../support/environment-project.ts';

const host = hostEnvironment();

/** Every project has a test that passes, one that fails, one that is skipped; ids as the reporters tell them. */
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

describe.each(Object.entries(PROJECTS))('%s', (name, { runner, results }) => {
  test('is built with its registry and reports every test without it', async () => {
    const tree = projectTree(name);
    const spec = detectedSpec(tree);
    expect(spec.runner).toBe(runner);
    const result = await buildAndRun(tree, spec, 'bwrap', host);
    const found = result.report.results.map(({ id, status }) => [id, status]);
    expect(Object.fromEntries(found)).toEqual(results);
    expect(result).toMatchObject({ status: 'completed', drift: [] });
  });
});
