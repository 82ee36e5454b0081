import type { Rejection } from '../../schemas/rejection.ts';
import { isCoupled, proveCouplings } from '../weave/coupling-level.ts';
import { matrixOf } from './lattice.ts';
import { notCoupled } from './not-coupled.ts';
import { type Bench, type Observation, observe, passing } from './observe.ts';
import { weigh } from './prove.ts';

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
  const { task, context } = bench;
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
  const { rows, dependences, groups } = await weigh(bench, { base, gold, failToPass, passToPass });
  const matrix = matrixOf(rows, groups);
  const ids = task.requirements.map(({ id }) => id);
  const proof = { ids, matrix, dependences, soloMerges: [] };
  const couplings = proveCouplings(task.couplings, proof);
  const bar = Math.min(context.settings.level, HIGHEST_WITHOUT_SOLOS);
  return isCoupled(ids, couplings, bar)
    ? null
    : notCoupled({ couplings: [...couplings], matrix: [...matrix] }, bar);
}
