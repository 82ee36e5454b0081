import type { Build } from '../../schemas/attempt.ts';
import type { Environment } from '../../schemas/environment.ts';
import type { Instance } from '../../schemas/instance.ts';
import type { Task } from '../../schemas/task.ts';
import type { TestRunRequest, TestRunResult } from '../../schemas/test-run.ts';
import type { Context, Control } from '../context.ts';
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

type Known = { readonly quick: Control; readonly excused: ReadonlySet<string> };

/** The file with the fewest tests, of those that hold a wanted test that passed; one of the base's own files where there is one. */
function quickest(
  { task }: Bench,
  request: TestRunRequest,
  { report }: TestRunResult,
  wanted: readonly string[],
): Control | null {
  const count = (file: string) => report.results.filter((one) => one.file === file).length;
  const rank = (file: string) => (task.tests.regression.includes(file) ? 0 : 1);
  const passed = report.results.filter(({ status }) => status === 'passed');
  const [best] = passed
    .filter(({ id, file }) => wanted.includes(id) && request.files.includes(file))
    .toSorted((a, b) => rank(a.file) - rank(b.file) || count(a.file) - count(b.file));
  return best === undefined ? null : { request: { ...request, files: [best.file] }, id: best.id };
}

/**
 * What must hold before a candidate is judged: on the untouched base a regression test passes, or gold passes where there is none.
 * The whole suite on that tree is in the ledger from validation; its quickest file is run again wherever a candidate is. Where
 * nothing passed, nothing can be said here of anybody: `run-ungradable`.
 */
async function control(bench: Bench): Promise<Known> {
  const { task, instance, context } = bench;
  const guards = instance.groups
    .filter(({ kind }) => kind === 'regression')
    .flatMap(({ ids }) => ids);
  const hasGuards = guards.length > 0;
  const request = gradingRequest(bench, hasGuards ? task.base.tree : instance.goldTree);
  const { result } = await context.runs.run(request, context.signal);
  const passed = new Set(
    result.report.results.flatMap(({ id, status }) => (status === 'passed' ? [id] : [])),
  );
  const wanted = hasGuards ? guards : instance.groups.flatMap(({ ids }) => ids);
  const isGood = hasGuards || wanted.every((id) => passed.has(id));
  const quick = isGood ? quickest(bench, request, result, wanted) : null;
  if (quick !== null) return { quick, excused: new Set(result.drift) };
  const subject = hasGuards ? 'no regression test passes on the base' : 'gold does not pass';
  throw new Fault(
    `grading of ${task.id} failed: ${subject} (run ${result.status}). Validate the task again.`,
    { code: 'run-ungradable' },
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
  const { quick, excused } = await control(bench);
  const tree = isWhole ? candidate : grafted(bench, candidate);
  const run = await context.runs.run(gradingRequest(bench, tree), context.signal, {
    control: quick,
  });
  return judgeRun(bench.instance.groups, run, excused);
}
