import type { MatrixRow, TestGroup } from '../../schemas/instance.ts';
import type { Task } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { settleAll } from '../settle/settle-all.ts';
import { applyStep, type Composed } from '../trees/compose.ts';
import { cellVerdict } from '../weave/coupling-level.ts';
import { type Subset, subsetsOf } from '../weave/subset-lattice.ts';
import { type Bench, type Observation, observe } from './observe.ts';

/** One subset of the requirements on the base. `run` is null where the parts do not compose. */
export type LatticeRow = {
  readonly subset: Subset;
  readonly tree: string | null;
  readonly conflict: string | null;
  readonly run: Observation | null;
};

/** Compose and run every subset; a tree that was observed already (base, gold) is not run again. */
export async function runLattice(
  bench: Bench,
  observed: readonly Observation[],
): Promise<readonly LatticeRow[]> {
  const { task, context } = bench;
  const ids = task.requirements.map(({ id }) => id);
  const pairs = task.couplings.map(({ from, to }) => [from, to] as const);
  return settleAll(subsetsOf(ids, pairs), async (subset): Promise<LatticeRow> => {
    const composed = await compose(task, subset.members, context);
    if (!composed.ok) return { subset, tree: null, conflict: composed.path, run: null };
    const run =
      observed.find(({ tree }) => tree === composed.tree) ??
      (await observe(bench, composed.tree, { files: task.tests.files }));
    return { subset, tree: composed.tree, conflict: null, run };
  });
}

/** The gold parts that a set of requirements asks for, in order, on the base. */
async function compose(
  task: Task,
  members: readonly string[],
  context: Context,
): Promise<Composed> {
  const wanted = task.gold.filter(({ needs }) => needs.every((id) => members.includes(id)));
  if (wanted.length === task.gold.length)
    return { ok: true, tree: task.gold.at(-1)?.after ?? task.base.tree };
  let tree = task.base.tree;
  for (const { before, after } of wanted) {
    const step = await applyStep(tree, before, after, context);
    if (!step.ok) return step;
    tree = step.tree;
  }
  return { ok: true, tree };
}

/** The rows against the groups. P counts only tests of the files that ran. */
export function matrixOf(
  rows: readonly LatticeRow[],
  groups: readonly TestGroup[],
): readonly MatrixRow[] {
  return rows.map(({ subset, tree, run }) => ({
    name: subset.name,
    subset: [...subset.members],
    tree,
    run: run?.key ?? null,
    cells: groups.map(({ name, kind, ids }) => cellOf(name, kind === 'regression', ids, run)),
  }));
}

function cellOf(
  group: string,
  isRegression: boolean,
  ids: readonly string[],
  run: Observation | null,
): MatrixRow['cells'][number] {
  if (run === null) return { group, verdict: 'conflict', passed: 0, total: ids.length };
  const asked = isRegression ? ids.filter((id) => run.ids.includes(id)) : ids;
  const statuses = asked.map(run.statusOf);
  const passed = statuses.filter((status) => status === 'passed').length;
  return { group, verdict: cellVerdict(statuses), passed, total: asked.length };
}
