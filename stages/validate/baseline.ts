import type { Rejection } from '../../schemas/rejection.ts';
import { type Repeated, repeatGold } from '../flakes/repeat-gold.ts';
import { settleAll } from '../settle/settle-all.ts';
import { allFiles, type Bench, type Observation, observe, passing } from './observe.ts';

/** What base and gold say before any requirement is taken out. Ids sorted. */
export type Baseline = {
  readonly base: Observation;
  readonly gold: Observation;
  readonly failToPass: readonly string[];
  readonly passToPass: readonly string[];
  readonly quarantined: readonly string[];
  /** Every run of gold, and what changed its verdict in them. */
  readonly repeated: Repeated;
};

/** Gates 3 to 6: the environment runs, the base fails, gold passes, and passes again; the ids of gate 1 exist. */
export async function baselineOf(bench: Bench): Promise<Baseline | Rejection> {
  const { task } = bench;
  const files = allFiles(task);
  const goldTree = task.gold.at(-1)?.after ?? task.base.tree;
  const own = await ownSuite(bench);
  const broken = suiteCannotRun(own, []);
  if (broken !== null) return broken;
  const [base] = await settleAll([task.base.tree], (tree) => observe(bench, tree, { files }));
  const repeated = await repeatGold(bench, goldTree, files);
  const [gold] = repeated.runs;
  if (base === undefined || gold === undefined) throw new Error('no run was asked for');
  const plain = repeated.runs.filter(({ disturbance }) => disturbance === null);
  return suiteCannotRun(null, plain) ?? judge(bench, { base, gold, repeated, own });
}

type Runs = {
  readonly base: Observation;
  readonly gold: Observation;
  readonly repeated: Repeated;
  readonly own: Observation | null;
};

function judge({ task }: Bench, runs: Runs): Baseline | Rejection {
  const { base, gold, repeated, own } = runs;
  const { tests } = task;
  const { traces } = tests;
  const unstable = repeated.flakes.map(({ id }) => id);
  const stable = passing(gold).filter((id) => !unstable.includes(id));
  const changed = stable.filter((id) => base.statusOf(id) !== 'passed').toSorted();
  const failToPass = changed.filter((id) => tests.files.includes(gold.fileOf(id)));
  const strays = changed.filter((id) => !failToPass.includes(id));
  const bad = gold.ids.filter((id) => isBad(gold.statusOf(id)));
  const broken = bad.filter((id) => !unstable.includes(id) && !isOld(id, own));
  const targets = [...new Set([...failToPass, ...unstable, ...broken])];
  return (
    noopPasses(
      targets.filter((id) => base.statusOf(id) !== 'passed'),
      base,
      traces,
    ) ??
    goldFails(broken, gold) ??
    flaky(unstable, failToPass, runs, traces) ??
    unknownTraces(gold, traces) ?? {
      base,
      gold,
      failToPass,
      passToPass: stable.filter((id) => base.statusOf(id) === 'passed').toSorted(),
      quarantined: [...new Set([...unstable, ...bad, ...strays])].toSorted(),
      repeated,
    }
  );
}

const isBad = (status: string): boolean =>
  !['passed', 'skipped', 'expected-failure'].includes(status);

/** A failure that the base's own suite shows too is the repository's, not gold's. */
const isOld = (id: string, own: Observation | null): boolean =>
  own?.ids.includes(id) === true && isBad(own.statusOf(id));

/** The base's own tests, as a solver finds them. null: the base has none. */
async function ownSuite(bench: Bench): Promise<Observation | null> {
  const { task, context } = bench;
  const files = filesOnBase(bench);
  if (files.length === 0) return null;
  context.signal.throwIfAborted();
  return observe(bench, task.base.tree, { files, overlay: [] });
}

function filesOnBase({ task, context }: Bench): readonly string[] {
  const manifest = new TextDecoder().decode(context.ledger.get(task.base.tree));
  return allFiles(task).filter((path) => manifest.includes(`:${path}\n`));
}

function suiteCannotRun(own: Observation | null, golds: readonly Observation[]): Rejection | null {
  const unread = golds.find(({ status }) => ['no-report', 'unreadable'].includes(status));
  const bad =
    own !== null && (own.status !== 'completed' || passing(own).length === 0) ? own : unread;
  if (bad === undefined) return null;
  const detail = `the suite cannot run: ${bad.status}, ${passing(bad).length} passed`;
  return { code: 'env-build-failed', detail, evidence: [bad.key] };
}

type Traces = readonly { readonly test: string; readonly clauses: readonly string[] }[];

/** Gate 4: the untouched base must fail, and somewhere by assertion. */
function noopPasses(
  targets: readonly string[],
  base: Observation,
  traces: Traces,
): Rejection | null {
  const evidence = [base.key];
  if (targets.length === 0)
    return { code: 'noop-passes', detail: 'every target test passes on the base', evidence };
  const free = groupsOf(traces).find(([, tests]) =>
    tests.every((test) => base.statusOf(test) === 'passed'),
  );
  if (free !== undefined)
    return { code: 'noop-passes', detail: `the tests of ${free[0]} pass on the base`, evidence };
  if (targets.some((id) => base.statusOf(id) === 'failed')) return null;
  const detail = 'no target test fails on the base by assertion; all of them cannot run';
  return { code: 'noop-blocked-only', detail, evidence };
}

/** Declared tests by requirement. */
function groupsOf(traces: Traces): readonly (readonly [string, readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { test, clauses } of traces)
    for (const requirement of new Set(clauses.map((clause) => clause.split('.')[0] ?? '')))
      groups.set(requirement, [...(groups.get(requirement) ?? []), test]);
  return [...groups];
}

function goldFails(broken: readonly string[], gold: Observation): Rejection | null {
  if (broken.length === 0 && gold.status === 'completed') return null;
  const detail =
    broken.length > 0
      ? `gold fails ${broken.length} test(s), first "${broken[0]}" (${gold.statusOf(broken[0] ?? '')})`
      : `gold's run ended as ${gold.status}`;
  return { code: 'gold-fails', detail, evidence: [gold.key, ...broken] };
}

/** What changes its verdict is quarantined; the task goes when a group is left with nothing to ask. */
function flaky(
  unstable: readonly string[],
  failToPass: readonly string[],
  { base, repeated }: Runs,
  traces: Traces,
): Rejection | null {
  const targets = unstable.filter((id) => base.statusOf(id) !== 'passed');
  const isEmptied = (tests: readonly string[]) =>
    tests.some((id) => targets.includes(id)) && !tests.some((id) => failToPass.includes(id));
  const emptied = groupsOf(traces).find(([, tests]) => isEmptied(tests));
  if (emptied === undefined && (targets.length === 0 || failToPass.length > 0)) return null;
  const group = emptied === undefined ? 'the task' : emptied[0];
  const suspect = repeated.flakes.find(({ id }) => id === targets[0])?.suspect ?? 'chance';
  const detail = `"${targets[0]}" changes its verdict over fresh runs (suspect: ${suspect}) and ${group} has nothing else to ask`;
  return { code: 'flaky', detail, evidence: [...targets, ...repeated.runs.map(({ key }) => key)] };
}

/** Gate 1 can only be closed here: which tests there are, the runner says. */
function unknownTraces(gold: Observation, traces: Traces): Rejection | null {
  const unknown = traces.map(({ test }) => test).filter((test) => !gold.ids.includes(test));
  if (unknown.length === 0) return null;
  const detail = `the draft traces "${unknown[0]}", which no run on gold reports`;
  return { code: 'draft-invalid', detail, evidence: [gold.key, ...unknown] };
}
