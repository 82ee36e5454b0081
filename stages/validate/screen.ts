import type { Rejection } from '../../schemas/rejection.ts';
import { isCoupled, ownable, proveCouplings } from '../weave/coupling-level.ts';
import { dependenceOf } from '../weave/dependence.ts';
import { groupTests } from '../weave/groups.ts';
import { matrixOf, runLattice } from './lattice.ts';
import { notCoupled } from './not-coupled.ts';
import { type Bench, type Observation, observe, passing } from './observe.ts';
import { rowFacts, weigh } from './prove.ts';

/** Solo solutions, which level 4 rests on, are asked for only where level 3 holds. */
const HIGHEST_WITHOUT_SOLOS = 3;

const areEqual = (left: Observation, right: Observation): boolean =>
  [...left.ids, ...right.ids].every((id) => left.statusOf(id) === right.statusOf(id));

const noopPasses = ({ key }: Observation): Rejection => ({
  code: 'noop-passes',
  detail: 'every test that the seeds brought ends on the base as it does on gold',
  evidence: [key],
});

const blockedOnly = ({ key }: Observation): Rejection => ({
  code: 'noop-blocked-only',
  detail: 'no test that the seeds brought fails on the base by assertion; all of them cannot run',
  evidence: [key],
});

/**
 * Whether a draft from history can be coupled at all, by the tests that its seeds brought and nothing else. Most such
 * drafts cannot, and this spares them the whole suite, five times over. It only ever refuses: what passes here is proved
 * anew behind the other gates, with the same runs. A gold that does not run is left to those gates to name;
 * a base may crash or hang, for want of what gold brings.
 */
export async function screen(bench: Bench): Promise<Rejection | null> {
  const { task } = bench;
  const { files, regression } = task.tests;
  if (task.mode !== 'history' || regression.length === 0) return null;
  const goldTree = task.gold.at(-1)?.after ?? task.base.tree;
  const base = await observe(bench, task.base.tree, { files });
  const gold = await observe(bench, goldTree, { files });
  const failToPass = passing(gold).filter((id) => base.statusOf(id) !== 'passed');
  if (gold.status !== 'completed') return null;
  if (base.status === 'completed' && passing(gold).length > 0 && areEqual(base, gold))
    return noopPasses(base);
  if (failToPass.length === 0) return null;
  if (failToPass.every((id) => base.statusOf(id) !== 'failed')) return blockedOnly(base);

  const passToPass = passing(gold).filter((id) => !failToPass.includes(id));
  return await weighed(bench, { base, gold, failToPass, passToPass });
}

/** The lattice first: where it alone shows that no edge can become joint, no mutant is run. */
async function weighed(
  bench: Bench,
  known: Parameters<typeof weigh>[1],
): Promise<Rejection | null> {
  const { task, context } = bench;
  const { base, gold, failToPass, passToPass } = known;
  const ids = task.requirements.map(({ id }) => id);
  const bar = Math.min(context.settings.level, HIGHEST_WITHOUT_SOLOS);
  const rows = await runLattice(bench, [base, gold]);
  const ablated = failToPass.map((test) => dependenceOf(test, rows.map(rowFacts), []));
  const own = ownable(ids, ablated);
  const isHopeless = bar === HIGHEST_WITHOUT_SOLOS && own.length < 2;
  const { dependences, groups } = isHopeless
    ? { dependences: ablated, groups: groupTests(ablated, passToPass) }
    : await weigh(bench, known, rows);
  const matrix = matrixOf(rows, groups);
  const proof = { ids, matrix, dependences, soloMerges: [] };
  const couplings = proveCouplings(task.couplings, proof);
  if (!isHopeless && isCoupled(ids, couplings, bar)) return null;
  const without = ids.filter((id) => !own.includes(id)).join(' and ');
  const why = isHopeless ? `; no test can depend on ${without} alone, so no mutant was run` : '';
  return notCoupled({ couplings: [...couplings], matrix: [...matrix] }, bar, why);
}
