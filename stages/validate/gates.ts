import type { Environment } from '../../schemas/environment.ts';
import type { Instance } from '../../schemas/instance.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { Task } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { checkConforms } from '../contract/conforms.ts';
import { lintContract } from '../contract/lint.ts';
import { runControls } from '../solve/controls.ts';
import { isCoupled } from '../weave/coupling-level.ts';
import { baselineOf } from './baseline.ts';
import { notCoupled } from './not-coupled.ts';
import { proveInstance } from './prove.ts';
import { screen } from './screen.ts';
import { untraceable } from './trace.ts';

const unfit = (detail: string): Rejection => ({ code: 'contract-unfit', detail, evidence: [] });

/** Gates 3 to 9 in order of cost: what execution proves of a task, or the first gate that refuses it. */
export async function throughGates(
  task: Task,
  environment: Environment,
  context: Context,
): Promise<Instance | Rejection> {
  const bench = { task, environment, context };
  const hopeless = await screen(bench);
  if (hopeless !== null) return hopeless;
  const baseline = await baselineOf(bench);
  if ('code' in baseline) return baseline;

  const proved = await proveInstance(bench, baseline);
  const ids = task.requirements.map(({ id }) => id);
  const bar = context.settings.level;
  if (!isCoupled(ids, proved.couplings, bar)) return notCoupled(proved, bar);

  const loose = untraceable(task, proved.traces, proved.groups);
  if (loose !== null) return loose;

  const { contract } = task;
  const read = context.ledger.get;
  const [unsound] = lintContract(contract, task.base.tree, read, context.parse);
  if (unsound !== undefined)
    return unfit(`${unsound.code} ${unsound.path ?? ''}: ${unsound.detail}`);
  const gold = checkConforms({
    contract,
    base: task.base.tree,
    candidate: proved.goldTree,
    read,
    parse: context.parse,
  });
  if (!gold.conforms)
    return unfit(
      `gold breaks the contract: ${gold.reasons[0]?.code ?? ''} ${gold.reasons[0]?.path ?? ''}`,
    );
  const controls = await runControls({ task, instance: proved, environment, context });
  const wrong = controls.find(({ expected, outcome }) => expected !== outcome);
  if (wrong !== undefined)
    return unfit(`control ${wrong.name}: expected ${wrong.expected}, got ${wrong.outcome}`);
  return { ...proved, controls: [...controls] };
}
