import type { ExperimentPlan, RolloutRecord } from '../../schemas/experiment.ts';
import { Outcome } from '../../schemas/outcome.ts';
import { type Compared, compare } from './compare.ts';
import { clopperPearson, type Interval, wilson } from './intervals.ts';

/** A proportion with both intervals; intervals are null where there was nothing to count. */
export type Rate = {
  readonly hits: number;
  readonly of: number;
  readonly exact: Interval | null;
  readonly wilson: Interval | null;
};

/** One condition under one entrant. Token sums are null when a call did not say what it used: absent is never zero. */
export type ConditionFigures = {
  readonly entrant: string;
  readonly condition: string;
  readonly rollouts: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly incomplete: number;
  readonly valid: Rate;
  /** Instances with at least one valid replicate. */
  readonly covered: number;
  readonly instances: number;
  /** False successes over all candidates that a build accepted. */
  readonly falseSuccess: Rate;
  readonly anyViolation: number;
  readonly requests: number;
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly strata: readonly Stratum[];
};

type Stratum = { readonly name: string; readonly valid: number; readonly rollouts: number };

type InstanceFigures = {
  readonly instance: string;
  readonly stratum: string;
  readonly difficulty: string;
  readonly valid: readonly {
    readonly entrant: string;
    readonly condition: string;
    readonly valid: number;
    readonly of: number;
  }[];
};

export type ExperimentFigures = {
  readonly experiment: string;
  readonly scheduled: number;
  readonly conditions: readonly ConditionFigures[];
  readonly instances: readonly InstanceFigures[];
  readonly comparisons: readonly Compared[];
};

const rateOf = (hits: number, of: number): Rate => ({
  hits,
  of,
  exact: clopperPearson(hits, of),
  wilson: wilson(hits, of),
});

const countOf = (rollouts: readonly RolloutRecord[], outcome: Outcome | null) =>
  rollouts.filter((rollout) => rollout.outcome === outcome).length;

function tokensOf(rollouts: readonly RolloutRecord[], side: 'input' | 'output'): number | null {
  const calls = rollouts.flatMap(({ attempts }) => attempts.map(({ completion }) => completion));
  let sum = 0;
  for (const call of calls) {
    const used = call?.usage[side] ?? null;
    if (used === null) return null;
    sum += used;
  }
  return sum;
}

function strataOf(rollouts: readonly RolloutRecord[]): Stratum[] {
  const named = (name: string, own: readonly RolloutRecord[]) => ({
    name,
    valid: countOf(own, 'valid-success'),
    rollouts: own.length,
  });
  const names = ['historical', 'controlled', 'local', 'intermediate', 'structural'];
  return names.flatMap((name) => {
    const own = rollouts.filter(
      ({ stratum, difficulty }) => stratum === name || difficulty === name,
    );
    return own.length === 0 ? [] : [named(name, own)];
  });
}

const outcomesOf = (rollouts: readonly RolloutRecord[]): Record<Outcome, number> => ({
  'valid-success': countOf(rollouts, 'valid-success'),
  'false-success': countOf(rollouts, 'false-success'),
  'safe-failure': countOf(rollouts, 'safe-failure'),
  'rejected-violation': countOf(rollouts, 'rejected-violation'),
  'invalid-candidate': countOf(rollouts, 'invalid-candidate'),
});

function conditionFigures(
  entrant: string,
  condition: string,
  rollouts: readonly RolloutRecord[],
): ConditionFigures {
  const outcomes = outcomesOf(rollouts);
  const incomplete = countOf(rollouts, null);
  const valid = rollouts.filter(({ outcome }) => outcome === 'valid-success');
  const accepted = outcomes['valid-success'] + outcomes['false-success'];
  return {
    ...{ entrant, condition, rollouts: rollouts.length, outcomes, incomplete },
    valid: rateOf(valid.length, rollouts.length - incomplete),
    covered: new Set(valid.map(({ instance }) => instance)).size,
    instances: new Set(rollouts.map(({ instance }) => instance)).size,
    falseSuccess: rateOf(outcomes['false-success'], accepted),
    anyViolation: rollouts.filter(({ anyViolation }) => anyViolation).length,
    requests: rollouts.reduce((sum, { attempts }) => sum + attempts.length, 0),
    tokensIn: tokensOf(rollouts, 'input'),
    tokensOut: tokensOf(rollouts, 'output'),
    strata: strataOf(rollouts),
  };
}

const namesOf = (conditions: ExperimentPlan['conditions']) =>
  conditions.map((condition) => (typeof condition === 'string' ? condition : condition.name));

/** Every cell of the schedule is there once, and the classes with the incompletes are all of them. */
function assertPartition(plan: ExperimentPlan, rollouts: readonly RolloutRecord[]): void {
  const { instances, conditions, entrants, replicates, id } = plan;
  const scheduled = instances.length * conditions.length * entrants.length * replicates;
  const cells = new Set(
    rollouts.map((one) => [one.instance, one.condition, one.entrant, one.replicate].join('\n')),
  );
  const counted = [...Outcome.options, null].reduce((sum, one) => sum + countOf(rollouts, one), 0);
  if (cells.size === scheduled && rollouts.length === scheduled && counted === scheduled) return;
  throw new Error(
    `table of ${id} failed: ${rollouts.length} rollouts in ${cells.size} cells, ${counted} with a class, ${scheduled} scheduled. Finish the run first.`,
  );
}

function instanceFigures(plan: ExperimentPlan, rollouts: readonly RolloutRecord[]) {
  return plan.instances.map(({ id, stratum, difficulty }): InstanceFigures => {
    const valid = plan.entrants.flatMap(({ name: entrant }) =>
      namesOf(plan.conditions).map((condition) => {
        const own = rollouts.filter(
          (one) => one.instance === id && one.condition === condition && one.entrant === entrant,
        );
        return { entrant, condition, valid: countOf(own, 'valid-success'), of: own.length };
      }),
    );
    return { instance: id, stratum, difficulty, valid };
  });
}

/**
 * Everything that a report prints, from the recorded rollouts alone. Throws when they do not fill the plan's schedule exactly:
 * a table whose classes do not sum to it is not printed. Source: capri-facts 4 to 8, requirements R20 and R41 to R48.
 */
export function experimentFigures(
  plan: ExperimentPlan,
  rollouts: readonly RolloutRecord[],
): ExperimentFigures {
  assertPartition(plan, rollouts);
  const entrants = plan.entrants.map(({ name }) => name);
  const own = (entrant: string, condition: string) =>
    rollouts.filter((one) => one.entrant === entrant && one.condition === condition);
  return {
    experiment: plan.id,
    scheduled: rollouts.length,
    conditions: entrants.flatMap((entrant) =>
      namesOf(plan.conditions).map((condition) =>
        conditionFigures(entrant, condition, own(entrant, condition)),
      ),
    ),
    instances: instanceFigures(plan, rollouts),
    comparisons: entrants.flatMap((entrant) =>
      plan.comparisons.map((comparison) => compare(comparison, entrant, rollouts)),
    ),
  };
}
