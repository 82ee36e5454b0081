import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openTestRuns } from '../../pipeline/runs/open.ts';
import { sandboxes } from '../../pipeline/sandboxes/registry.ts';
import type { EnvironmentSpec, Runner } from '../../schemas/environment.ts';
import type { TestRunRequest, TestRunResult } from '../../schemas/test-run.ts';
import { memoryLedger } from './memory-ledger.ts';
import { realClock } from './real-clock.ts';
import { tempFolder } from './temp-folder.ts';
import { keepTree, specFor } from './test-run.ts';

const signal = new AbortController().signal;
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const python = (code: string) => spawnSync('python3', ['-c', code]);
const pythonHome = python('import sys; print(sys.base_prefix)').stdout?.toString().trim();

/** Which runners this machine has. */
export const hasRunner: Readonly<Partial<Record<Runner, boolean>>> = {
  'node-test': true,
  vitest: true,
  unittest: python('import unittest').status === 0,
  pytest: python('import pytest').status === 0,
};

/** A spec that finds its runner on this machine. */
export const liveSpec = (runner: Runner, parts: Partial<EnvironmentSpec> = {}): EnvironmentSpec => {
  const install = runner === 'vitest' ? [['ln', '-s', modules, '{deps}/node_modules']] : [];
  return specFor(runner, { install, ...parts });
};

type Project = {
  readonly tree: Readonly<Record<string, string | Uint8Array>>;
  readonly files: readonly string[];
};
type Place = 'process' | 'bwrap' | 'docker';

/** Prepare and run a project, as the pipeline does. */
export async function runProject(
  spec: EnvironmentSpec,
  { tree, files }: Project,
  where: Place = 'process',
  parts: Partial<TestRunRequest> = {},
): Promise<TestRunResult> {
  const ledger = memoryLedger();
  const PATH = `${pythonHome}/bin:/usr/local/bin:/usr/bin:/bin`;
  const sandbox = sandboxes[where]({ run: 'live', cache: tempFolder(), host: { PATH } });
  const runs = openTestRuns({ sandbox, ledger, clock: realClock });
  const name = keepTree(ledger, tree);
  const prepared = await runs.prepare(spec, name, signal);
  if (!prepared.ready) throw new Error(`${prepared.step}: ${prepared.tail}`);
  const { environment } = prepared;
  const request = { environment, tree: name, overlay: [], files: [...files], repeat: 0, ...parts };
  return (await runs.run(request, signal)).result;
}
