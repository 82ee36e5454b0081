import type { Environment, EnvironmentSpec } from '../../schemas/environment.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { Context } from '../context.ts';
import { importCommit } from '../trees/import-commit.ts';
import { isFile, readTree } from '../trees/trees.ts';
import { isRunnable } from './test-files.ts';

/** The base that a drafter writes for, ready to run, with some ids of its own tests. */
export type Ground = {
  readonly tree: string;
  readonly environment: Environment;
  readonly ids: readonly string[];
};

/** As many ids as show how they are spelt. */
const SOME = 12;

/** Gate 3 before any model is asked: the environment builds and the base's own tests run. */
export async function groundOf(
  source: string,
  base: string,
  spec: EnvironmentSpec,
  context: Context,
): Promise<Ground | Rejection> {
  const { ledger, runs, signal } = context;
  const tree = await importCommit(context.repo(source), base, ledger);
  const prepared = await runs.prepare(spec, tree, signal);
  if (!prepared.ready) return broken(`${prepared.step}: ${prepared.tail.slice(-400)}`, []);
  const { environment } = prepared;
  const files = readTree(ledger, tree)
    .filter((entry) => isFile(entry) && isRunnable(entry.path, spec))
    .map(({ path }) => path)
    .toSorted();
  if (files.length === 0) return { tree, environment, ids: [] };
  const { key, result } = await runs.run(
    { environment, tree, overlay: [], files, repeat: 0 },
    signal,
  );
  const ids = result.report.results
    .filter(({ status }) => status === 'passed')
    .map(({ id }) => id)
    .toSorted();
  if (result.status === 'completed' && ids.length > 0)
    return { tree, environment, ids: ids.slice(0, SOME) };
  return broken(`the suite cannot run: ${result.status}, ${ids.length} passed`, [key]);
}

const broken = (detail: string, evidence: string[]): Rejection => ({
  code: 'env-build-failed',
  detail,
  evidence,
});
