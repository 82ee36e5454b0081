import type { ExperimentPlan, RolloutRecord } from '../../schemas/experiment.ts';
import type { Outcome } from '../../schemas/outcome.ts';
import { capriConditions, capriOutcomes, capriTasks } from './capri-table.ts';

const digest = '0'.repeat(64);

/** A rollout with an outcome and nothing behind it; for figures, which look no further. */
export function rolloutRecord(
  parts: Partial<RolloutRecord> & { readonly outcome: RolloutRecord['outcome'] },
): RolloutRecord {
  return {
    rollout: 'r',
    instance: 'i',
    stratum: 'controlled',
    difficulty: 'local',
    entrant: 'one',
    condition: 'C0',
    replicate: 0,
    plan: digest,
    contract: digest,
    authority: digest,
    base: digest,
    attemptsCounted: 1,
    anyViolation: false,
    anyInvalid: false,
    firstViolationAttempt: null,
    incompleteFault: null,
    attempts: [],
    ...parts,
  };
}

/** The published study as a plan. */
export const capriPlan = (comparisons: ExperimentPlan['comparisons'] = []): ExperimentPlan => ({
  experiment: 1,
  id: 'capri',
  instances: capriTasks.map(({ task, stratum, difficulty }) => ({
    id: task,
    path: task,
    stratum,
    difficulty,
  })),
  replicates: 3,
  conditions: [...capriConditions],
  entrants: [
    { name: 'one', provider: 'recorded', family: 'published', price: null, pack: 'published' },
  ],
  budget: { usd: null, calls: null },
  recovery: { on: [], times: 0, wait_s: [0] },
  comparisons,
  seed: 0,
});

/**
 * 180 rollouts with the published counts by task and by condition. Which of a task's rollouts failed how, and in which
 * replicate, is not published; here the first replicates are valid and the other classes are dealt out in order.
 */
export function capriRollouts(): RolloutRecord[] {
  return capriConditions.flatMap((condition, column) => {
    const rest = Object.entries(capriOutcomes[condition]).flatMap(([outcome, count]) =>
      outcome === 'valid-success' ? [] : Array<Outcome>(count).fill(outcome as Outcome),
    );
    return capriTasks.flatMap(({ task, stratum, difficulty, valid }) =>
      [0, 1, 2].map((replicate) => {
        const isValid = replicate < (valid[column] ?? 0);
        const outcome = isValid ? 'valid-success' : (rest.shift() ?? 'safe-failure');
        const rollout = `${task}/${condition}/${replicate}`;
        return rolloutRecord({
          rollout,
          instance: task,
          stratum,
          difficulty,
          condition,
          replicate,
          outcome,
        });
      }),
    );
  });
}
