import type { Environment } from '../../schemas/environment.ts';
import type { Instance } from '../../schemas/instance.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { Solo, Task } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { settleAll } from '../settle/settle-all.ts';
import { throughGates } from '../validate/gates.ts';
import { solveAlone } from '../validate/solos.ts';

/** The level that needs no solo solutions. */
const JOINT = 3;

/**
 * Put a drafted task through the gates of `validate`, unchanged, and give it the drafter's solo solutions where requirements
 * proved joint. The stage itself goes through the same gates afterwards and finds every run made.
 */
export async function tryDraft(
  task: Task,
  environment: Environment,
  context: Context,
): Promise<Task | Rejection> {
  const { settings } = context;
  const modest = { ...settings, level: Math.min(settings.level, JOINT), soloSolvers: [] };
  const first = await throughGates(task, environment, { ...context, settings: modest });
  if ('code' in first) return first;
  const { couplings } = first;
  const whole = { ...task, solos: await solosOf(task, environment, couplings, context) };
  if (settings.level <= JOINT) return whole;
  const last = await throughGates(whole, environment, context);
  return 'code' in last ? last : whole;
}

/** One question for each requirement of a joint coupling, which shows that requirement and no other. */
async function solosOf(
  task: Task,
  environment: Environment,
  couplings: Instance['couplings'],
  context: Context,
): Promise<Solo[]> {
  const { drafter } = context.settings;
  const joint = couplings.filter(({ level }) => level >= JOINT);
  const ids = task.requirements
    .map(({ id }) => id)
    .filter((id) => joint.some(({ from, to }) => from === id || to === id));
  const bench = { task, environment, context };
  const solos = await settleAll(drafter === null ? [] : ids, (id) =>
    solveAlone(bench, id, { role: 'drafter', name: drafter?.name ?? '' }),
  );
  return solos.flatMap((solo) => solo ?? []);
}
