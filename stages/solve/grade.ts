import type { Build } from '../../schemas/attempt.ts';
import type { Environment } from '../../schemas/environment.ts';
import type { Instance } from '../../schemas/instance.ts';
import type { Task } from '../../schemas/task.ts';
import type { TestRunRequest } from '../../schemas/test-run.ts';
import type { Context } from '../context.ts';
import { readTree } from '../contract/conforms.ts';
import { graft } from '../contract/graft.ts';
import { manifestText } from '../contract/manifest.ts';
import { Fault } from '../fault.ts';
import { judgeRun } from './judge-run.ts';

/** One instance on the bench: everything that judging needs, whoever made the candidate. */
export type Bench = {
  readonly task: Task;
  readonly instance: Pick<Instance, 'groups' | 'goldTree'>;
  readonly environment: Environment;
  readonly context: Context;
};

/** The one run that grades a tree: all test files of the task with the hidden tests laid over it. */
function gradingRequest({ task, environment }: Bench, tree: string): TestRunRequest {
  const files = [...task.tests.files, ...task.tests.regression].toSorted();
  return { environment, tree, overlay: task.tests.overlay, files, repeat: 0 };
}

/**
 * Control first: before a candidate is judged, a regression test must pass on the untouched base, or gold must pass where there
 * is none. Both runs are in the ledger from validation. Else nothing can be said here of anybody: `run-ungradable`.
 */
async function control(bench: Bench): Promise<ReadonlySet<string>> {
  const { task, instance, context } = bench;
  const guards = instance.groups
    .filter(({ kind }) => kind === 'regression')
    .flatMap(({ ids }) => ids);
  const tree = guards.length > 0 ? task.base.tree : instance.goldTree;
  const { result } = await context.runs.run(gradingRequest(bench, tree), context.signal);
  const passed = new Set(
    result.report.results.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])),
  );
  const wanted = guards.length > 0 ? guards : instance.groups.flatMap(({ ids }) => ids);
  const isGood =
    guards.length > 0 ? wanted.some((id) => passed.has(id)) : wanted.every((id) => passed.has(id));
  if (isGood) return new Set(result.drift);
  const subject =
    guards.length > 0 ? 'no regression test passes on the base' : 'gold does not pass';
  throw new Fault(
    `grading of ${task.id} failed: ${subject} (run ${result.status}). Validate the task again.`,
    {
      code: 'run-ungradable',
    },
  );
}

/** The base with the candidate's bytes at authorised paths only. */
function grafted({ task, context: { ledger } }: Bench, candidate: string): string {
  const base = readTree(task.base.tree, ledger.get);
  return ledger.put(manifestText(graft(task.contract, base, readTree(candidate, ledger.get))));
}

/**
 * What the hidden tests say of a candidate. Protected bytes are the base's, unless `isWhole` asks for the tree as it is, which
 * `measure` does to see false success. A candidate's own time-out, crash or missing report is a failure; trouble of the world is
 * a Fault and no result.
 */
export async function gradeCandidate(
  bench: Bench & { readonly candidate: string; readonly isWhole?: boolean },
): Promise<Build> {
  const { candidate, isWhole = false, context } = bench;
  const excused = await control(bench);
  const tree = isWhole ? candidate : grafted(bench, candidate);
  const run = await context.runs.run(gradingRequest(bench, tree), context.signal);
  return judgeRun(bench.instance.groups, run, excused);
}
