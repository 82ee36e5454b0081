/** @module-tag slow */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { openTestRuns } from '../../../pipeline/runs/open.ts';
import { sandboxes } from '../../../pipeline/sandboxes/registry.ts';
import type { EnvironmentSpec, Runner } from '../../../schemas/environment.ts';
import type { TestRunResult } from '../../../schemas/test-run.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { realClock } from '../../support/real-clock.ts';
import { reportFixture } from '../../support/report-fixture.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { keepTree, specFor } from '../../support/test-run.ts';

const signal = new AbortController().signal;
/** Runners are programs of their own, and a busy machine starts them slowly. */
const PATIENCE = 30_000;
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

type Project = { readonly tree: Record<string, string | Uint8Array>; readonly files: string[] };

/** Prepare and run a project, as the pipeline does. */
async function runProject(
  spec: EnvironmentSpec,
  { tree, files }: Project,
  where: 'process' | 'bwrap' = 'process',
): Promise<TestRunResult> {
  const ledger = memoryLedger();
  const PATH = `${pythonHome}/bin:/usr/local/bin:/usr/bin:/bin`;
  const sandbox = sandboxes[where]({ run: 'live', cache: tempFolder(), host: { PATH } });
  const runs = openTestRuns({ sandbox, ledger, clock: realClock });
  const name = keepTree(ledger, tree);
  const prepared = await runs.prepare(spec, name, signal);
  if (!prepared.ready) throw new Error(`${prepared.step}: ${prepared.tail}`);
  const { environment } = prepared;
  const request = { environment, tree: name, overlay: [], files, repeat: 0 };
  return (await runs.run(request, signal)).result;
}

const python = (code: string) => spawnSync('python3', ['-c', code]);
const pythonHome = python('import sys; print(sys.base_prefix)').stdout?.toString().trim();
const hasRunner: Record<Runner, boolean> = {
  'node-test': true,
  vitest: true,
  unittest: python('import unittest').status === 0,
  pytest: python('import pytest').status === 0,
};

/** Versions of one runner word their messages differently. */
const withoutMessages = ({ results }: TestRunResult['report']) =>
  results.map(({ message: _, ...result }) => result);

describe.each(Object.entries(hasRunner))('%s', (runner, isThere) => {
  test.skipIf(!isThere)(
    'a project with every ending is reported as its fixture says',
    async () => {
      const name = runner as Runner;
      const install = runner === 'vitest' ? [['ln', '-s', modules, '{deps}/node_modules']] : [];
      const { expected, ...project } = reportFixture(name);
      const result = await runProject(specFor(name, { install }), project);
      expect(result.drift).toEqual([]);
      expect(result).toMatchObject({ status: expected.status, exitCode: expected.exitCode });
      expect(withoutMessages(result.report)).toEqual(withoutMessages(expected.report));
    },
    30_000,
  );
});

const one = (text: string): Project => ({
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
  'a test cannot write the report, though it can reach it',
  async () => {
    const forger = one(`import { appendFileSync, existsSync, readFileSync } from 'node:fs';
    test('x', () => {
      const folder = new URL('../../csw/', import.meta.url);
      if (existsSync(new URL('report.jsonl.nonce', folder))) return;
      const report = new URL('report.jsonl', folder);
      appendFileSync(report, readFileSync(report));
    });`);
    expect(await runProject(specFor('node-test'), forger)).toMatchObject({ status: 'unreadable' });
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
