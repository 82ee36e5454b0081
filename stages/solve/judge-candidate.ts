import type { Attempt } from '../../schemas/attempt.ts';
import type { Contract } from '../../schemas/contract.ts';
import { checkConforms } from '../contract/conforms.ts';
import { type Bench, gradeCandidate } from './grade.ts';
import { notBuilt } from './judge-run.ts';

type Judged = Pick<Attempt, 'candidate' | 'report' | 'build'>;

/**
 * The two facts about a candidate, each computed without the other. Under `contract-first` a violating candidate is never
 * built; under `measure` it is built whole, so that false success can be seen.
 */
export async function judgeCandidate(
  bench: Bench,
  candidate: string,
  order: Contract['order'],
): Promise<Judged> {
  const { task, context } = bench;
  const step = { contract: task.contract, base: task.base.tree, candidate };
  const report = checkConforms({ ...step, read: context.ledger.get, parse: context.parse });
  if (!report.conforms && (order === 'contract-first' || !report.conjuncts.tree)) {
    return { candidate, report, build: notBuilt };
  }
  const build = await gradeCandidate({ ...bench, candidate, isWhole: !report.conforms });
  return { candidate, report, build };
}
