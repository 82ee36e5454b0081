import type { Instance, TestGroup } from '../../schemas/instance.ts';
import type { Solo } from '../../schemas/task.ts';
import { settleAll } from '../settle/settle-all.ts';
import { applyStep } from '../trees/compose.ts';
import { type Bench, observe } from './observe.ts';

type Merge = Instance['soloMerges'][number];

/** Merge every pair of solo solutions that each pass their own group on the base alone, and run the joint tests. */
export async function mergeSolos(
  bench: Bench,
  solos: readonly Solo[],
  groups: readonly TestGroup[],
): Promise<readonly Merge[]> {
  const sound = await soundSolos(bench, solos, groups);
  const pairs = sound.flatMap((left, index) =>
    sound
      .slice(index + 1)
      .filter(({ requirement }) => requirement !== left.requirement)
      .map((right) => [left, right] as const),
  );
  return settleAll(pairs, (pair) => mergePair(bench, pair, groups));
}

/** A solo counts when it passes the whole group of its requirement; what else it does is not asked. */
async function soundSolos(
  bench: Bench,
  solos: readonly Solo[],
  groups: readonly TestGroup[],
): Promise<readonly Solo[]> {
  const passed = await settleAll(solos, async ({ requirement, tree }) => {
    const own = groups.find(({ refs }) => refs.join() === requirement)?.ids ?? [];
    const run = await observe(bench, tree, { files: bench.task.tests.files });
    return own.length > 0 && own.every((id) => run.statusOf(id) === 'passed');
  });
  return solos.filter((_, index) => passed[index] === true);
}

async function mergePair(
  bench: Bench,
  [left, right]: readonly [Solo, Solo],
  groups: readonly TestGroup[],
): Promise<Merge> {
  const { task, context } = bench;
  const solos = [left, right].map(({ requirement, by, entrant, tree }) => ({
    requirement,
    by,
    entrant,
    tree,
  }));
  const requirements = solos.map(({ requirement }) => requirement).toSorted();
  const merged = await applyStep(left.tree, task.base.tree, right.tree, context);
  if (!merged.ok) return { requirements, solos, tree: null, run: null, failing: [] };
  const run = await observe(bench, merged.tree, { files: task.tests.files });
  const joint = groups.filter(({ refs }) => requirements.every((id) => refs.includes(id)));
  const failing = joint.flatMap(({ ids }) => ids).filter((id) => run.statusOf(id) === 'failed');
  return { requirements, solos, tree: merged.tree, run: run.key, failing: failing.toSorted() };
}
