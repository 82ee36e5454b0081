/** @module-tag slow */
import { describe, expect, test } from 'vitest';
import type { Runner } from '../../../schemas/environment.ts';
import type { TestRunResult } from '../../../schemas/test-run.ts';
import { hasRunner, liveSpec, runProject } from '../../support/live-run.ts';
import { reportFixture } from '../../support/report-fixture.ts';
import { specFor } from '../../support/test-run.ts';

/** Runners are programs of their own, and a busy machine starts them slowly. */
const PATIENCE = 30_000;

/** Versions of one runner word their messages differently. */
const withoutMessages = ({ results }: TestRunResult['report']) =>
  results.map(({ message: _, ...result }) => result);

describe.each(Object.entries(hasRunner))('%s', (runner, isThere) => {
  test.skipIf(!isThere)(
    'a project with every ending is reported as its fixture says',
    async () => {
      const name = runner as Runner;
      const { expected, ...project } = reportFixture(name);
      const result = await runProject(liveSpec(name), project);
      expect(result.drift).toEqual([]);
      expect(result).toMatchObject({ status: expected.status, exitCode: expected.exitCode });
      expect(withoutMessages(result.report)).toEqual(withoutMessages(expected.report));
    },
    30_000,
  );
});

const one = (text: string) => ({
  tree: { 'test/a.test.mjs': `import { test } from 'node:test';\n${text}` },
  files: ['test/a.test.mjs'],
});

test(
  'a file that leaves with exit 0 before its tests ran has not passed',
  async () => {
    const result = await runProject(
      specFor('node-test'),
      one("test('x', () => {}); process.exit(0)"),
    );
    expect(result.report.results).toMatchObject([{ id: 'test/a.test.mjs', status: 'error' }]);
  },
  PATIENCE,
);

test(
  'the time limit ends a test that hangs',
  async () => {
    const hangs = one("test('x', () => new Promise(() => setInterval(() => {}, 1000)));");
    const result = await runProject(specFor('node-test', { timeoutS: 1 }), hangs);
    expect(result).toMatchObject({ status: 'timed-out', exitCode: null });
  },
  PATIENCE,
);

test(
  'a test finds neither nonce nor report, and what it lays there is not read',
  async () => {
    const forger = one(`import { readdirSync, writeFileSync } from 'node:fs';
    import assert from 'node:assert';
    test('x', () => {
      const folder = new URL('../../csw/', import.meta.url);
      const names = readdirSync(folder).filter((name) => name.startsWith('report.'));
      assert.deepEqual(names, []);
      for (const name of ['report.jsonl', 'report.jsonl.nonce']) writeFileSync(new URL(name, folder), 'x');
    });`);
    const result = await runProject(specFor('node-test'), forger);
    expect(result).toMatchObject({ status: 'completed', exitCode: 0 });
  },
  PATIENCE,
);

test(
  'options of node reach the suite, and code that they name is not loaded by its supervisor',
  async () => {
    const spec = specFor('node-test', { env: { NODE_OPTIONS: '--require ./mark.cjs' } });
    const marks = one(`import { readFileSync } from 'node:fs';
    import assert from 'node:assert';
    test('x', () => {
      assert.ok(globalThis.isMarked);
      assert.ok(!readFileSync('marks', 'utf8').includes('supervise.mjs'));
    });`);
    const mark = `globalThis.isMarked = true; require('node:fs').appendFileSync('marks', process.argv.join(' '));`;
    const result = await runProject(spec, { ...marks, tree: { ...marks.tree, 'mark.cjs': mark } });
    expect(result).toMatchObject({ status: 'completed', exitCode: 0 });
  },
  PATIENCE,
);

describe('in bubblewrap', { tags: ['bwrap'] }, () => {
  test.each(['node-test', 'unittest'] as const)('%s reports the same', async (runner) => {
    const { expected, ...project } = reportFixture(runner);
    const result = await runProject(specFor(runner), project, 'bwrap');
    expect(result.status).toBe(expected.status);
    expect(withoutMessages(result.report)).toEqual(withoutMessages(expected.report));
  });
});

describe('in docker', { tags: ['docker'] }, () => {
  test.each(['node-test', 'unittest'] as const)('%s reports the same', async (runner) => {
    const { expected, ...project } = reportFixture(runner);
    const result = await runProject(specFor(runner), project, 'docker');
    expect(result.status).toBe(expected.status);
    expect(withoutMessages(result.report)).toEqual(withoutMessages(expected.report));
  });
});
