import type { Rollout } from '../../schemas/rollout.ts';
import { Fault } from '../fault.ts';
import type { Bench } from './grade.ts';
import { conditionFor } from './request.ts';
import { type Plan, runRollout } from './rollout.ts';

/** Every solver as often as the run says, in order. */
function plansOf({ task, context }: Bench): Plan[] {
  const { solvers, replicates, condition: wanted } = context.settings;
  const condition = conditionFor(wanted, task);
  return solvers.flatMap((entrant) =>
    Array.from({ length: replicates }, (_, replicate) => ({ entrant, condition, replicate })),
  );
}

/**
 * All rollouts of one instance. What stops the run is raised only after the last was tried, so that one call leaves every open
 * question in the mailbox; whatever was answered is in the ledger and is not asked again.
 */
export async function runPanel(bench: Bench): Promise<Rollout[]> {
  const rollouts: Rollout[] = [];
  const stops: Fault[] = [];
  for (const plan of plansOf(bench)) {
    bench.context.signal.throwIfAborted();
    try {
      rollouts.push(await runRollout(bench, plan));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      stops.push(error);
    }
  }
  const stop = stops.find(({ code }) => code !== 'model-waiting') ?? stops[0];
  if (stop) throw stop;
  return rollouts;
}
