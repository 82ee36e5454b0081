import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import type { AttemptRecord, Condition, Frozen, RolloutRecord } from '../../schemas/experiment.ts';
import type { Parse } from '../../schemas/syntax.ts';
import type { Clock } from '../../stages/context.ts';
import { digestOf } from '../../stages/contract/canonical-json.ts';
import { authoritySha } from '../../stages/contract/conforms.ts';
import { effective } from '../../stages/controller/conditions.ts';
import { type Ended, runRollout } from '../../stages/controller/controller.ts';
import type { Builder, Shells } from '../../stages/controller/ports.ts';
import { Fault } from '../../stages/fault.ts';
import type { Experiment } from './folder.ts';
import type { LoadedInstance } from './instance.ts';
import type { ExperimentRecord } from './record.ts';

type Cell = Frozen['schedule'][number];

export type RunWorld = {
  readonly ask: (
    entrant: string,
    request: ModelRequest,
    signal: AbortSignal,
  ) => Promise<Completion>;
  readonly builder: Builder;
  readonly shells: Shells;
  readonly clock: Clock;
  readonly parse: Parse;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
};

/** A rollout's name: instance, entrant, condition and replicate. */
export const rolloutName = ({ instance, entrant, condition, replicate }: Cell): string =>
  `${instance}/${entrant}/${condition}/${replicate}`;

/** An answer that the record has is never asked for again; a new one is kept before anything is made of it. */
async function answered(
  record: ExperimentRecord,
  request: ModelRequest,
  ask: () => Promise<Completion>,
): Promise<Completion> {
  const name = digestOf(request);
  const known = record.answer(name);
  if (known !== null) return known;
  const completion = await ask();
  record.keepAnswer(name, completion);
  return completion;
}

/** A tree that goes beyond the contract, whether or not it was built. */
const isViolation = ({ report }: AttemptRecord) =>
  report?.conjuncts.tree === true && !report.conforms;

function recordOf(
  cell: Cell,
  experiment: Experiment,
  { base }: LoadedInstance,
  contract: LoadedInstance['contract'],
  ended: Ended,
): RolloutRecord {
  const { plan, planSha256 } = experiment;
  const named = plan.instances.find(({ id }) => id === cell.instance);
  const { attempts } = ended;
  return {
    rollout: rolloutName(cell),
    ...cell,
    stratum: named?.stratum ?? '',
    difficulty: named?.difficulty ?? '',
    plan: planSha256,
    contract: digestOf(contract),
    authority: authoritySha(contract),
    base,
    outcome: ended.outcome,
    attemptsCounted: attempts.length,
    anyViolation: attempts.some(isViolation),
    anyInvalid: attempts.some(({ class: kind }) => kind === 'invalid'),
    firstViolationAttempt: attempts.find(isViolation)?.attempt ?? null,
    incompleteFault: ended.fault,
    attempts: [...attempts],
  };
}

async function runCell(
  cell: Cell,
  experiment: Experiment,
  {
    loaded,
    condition,
    baseline,
  }: { loaded: LoadedInstance; condition: Condition; baseline: string },
  record: ExperimentRecord,
  world: RunWorld,
): Promise<RolloutRecord> {
  const contract = effective(loaded.contract, condition);
  const { entrant, replicate } = cell;
  const ended = await runRollout(
    {
      subject: { instance: cell.instance, contract, base: loaded.base },
      given: condition,
      entrant,
      condition: condition.name,
      replicate,
      recovery: experiment.plan.recovery,
      baseline,
    },
    {
      complete: (request, signal) =>
        answered(record, request, () => world.ask(entrant, request, signal)),
      builder: world.builder,
      shells: world.shells,
      ledger: record.blobs,
      clock: world.clock,
      parse: world.parse,
      signal: world.signal,
      keepLeft: (left) => record.keepLeft(rolloutName(cell), left),
    },
  );
  return recordOf(cell, experiment, loaded, contract, ended);
}

/** What a cell of the schedule stands for. */
function partsOf(cell: Cell, frozen: Frozen, instances: readonly LoadedInstance[]) {
  const loaded = instances.find(({ id }) => id === cell.instance);
  const condition = frozen.conditions.find(({ name }) => name === cell.condition);
  const fixed = frozen.instances.find(({ id }) => id === cell.instance);
  if (loaded && condition && fixed) return { loaded, condition, baseline: fixed.baseline };
  throw new Error(`schedule names ${rolloutName(cell)}, which is not there`);
}

export type RunEnd = {
  readonly finished: number;
  readonly scheduled: number;
  readonly waiting: readonly string[];
};

/**
 * Every cell of the frozen schedule that the record does not have yet. What waits for a mailbox is left for the next call of the
 * same command; the others go on. The record is closed once the last cell is in it.
 */
export async function runExperiment(
  experiment: Experiment,
  frozen: Frozen,
  instances: readonly LoadedInstance[],
  record: ExperimentRecord,
  world: RunWorld,
): Promise<RunEnd> {
  const done = new Set(record.rollouts().map(({ rollout }) => rollout));
  const waiting: string[] = [];
  for (const cell of frozen.schedule) {
    if (done.has(rolloutName(cell))) continue;
    world.signal.throwIfAborted();
    const part = partsOf(cell, frozen, instances);
    try {
      const rollout = await runCell(cell, experiment, part, record, world);
      record.keepRollout(rollout);
      done.add(rollout.rollout);
      world.tell(
        `${rollout.rollout}: ${rollout.outcome ?? 'incomplete'} after ${rollout.attemptsCounted}`,
      );
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'model-waiting') throw error;
      waiting.push(error.message);
    }
  }
  if (waiting.length === 0) record.close(frozen.schedule.map(rolloutName));
  return { finished: done.size, scheduled: frozen.schedule.length, waiting };
}
