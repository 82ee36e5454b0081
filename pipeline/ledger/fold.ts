import type { LedgerEvent } from '../../schemas/event.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { Facts, Stage } from '../../stages/stage.ts';
import { RecordExcluded, RecordFaulted, RecordOpened, StageEnded } from './record-events.ts';

/** The parts of a stage that folding needs. */
export type StageShape = Pick<Stage, 'name' | 'needs' | 'gives'>;

/**
 * Where a record stands. `next` names the stage to run, null when the walk is over.
 * `ordinal` is the number of stages ended so far. `fault` is the last one, gone once a stage has ended after it.
 */
export type RecordState = {
  readonly facts: Facts;
  readonly next: string | null;
  readonly revision: number;
  readonly ordinal: number;
  readonly rejection: Rejection | null;
  readonly fault: RecordFaulted | null;
  readonly excluded: string | null;
};

/** A verdict must not outlive its task: drop what only the stages from `target` on had given. */
function forget(facts: Facts, stages: readonly StageShape[], target: string): Facts {
  const index = indexOf(target, stages);
  const earlier = new Set(stages.slice(0, index).flatMap(({ gives }) => gives));
  const later = new Set(stages.slice(index).flatMap(({ gives }) => gives));
  return Object.fromEntries(
    Object.entries(facts).filter(([name]) => earlier.has(name) || !later.has(name)),
  );
}

function indexOf(name: string, stages: readonly StageShape[]): number {
  const index = stages.findIndex((stage) => stage.name === name);
  if (index === -1) throw new Error(`ledger: no stage is called "${name}"`);
  return index;
}

function ended(state: RecordState, end: StageEnded, stages: readonly StageShape[]): RecordState {
  const after = { ...state, fault: null, ordinal: state.ordinal + 1 };
  if (end.ending === 'rejected') return { ...after, next: null, rejection: end.rejection ?? null };
  if (end.ending === 'done') {
    const next = stages[indexOf(end.stage, stages) + 1]?.name ?? null;
    return { ...after, next, revision: end.revision, facts: { ...state.facts, ...end.facts } };
  }
  const next = end.from ?? end.stage;
  const facts = { ...forget(state.facts, stages, next), ...end.facts };
  return { ...after, next, revision: end.revision + 1, facts };
}

function laid(state: RecordState, event: LedgerEvent, stages: readonly StageShape[]): RecordState {
  switch (event.kind) {
    case 'record-opened':
      return { ...state, facts: RecordOpened.parse(event.body).facts };
    case 'stage-ended':
      return ended(state, StageEnded.parse(event.body), stages);
    case 'record-faulted':
      return { ...state, fault: RecordFaulted.parse(event.body) };
    case 'record-excluded':
      return { ...state, excluded: RecordExcluded.parse(event.body).reason };
    default:
      return state;
  }
}

/** The record that the events of one record tell of, laid down in order. Throws on a body that is none. */
export function foldRecord(
  events: readonly LedgerEvent[],
  stages: readonly StageShape[],
): RecordState {
  const start: RecordState = {
    facts: {},
    next: stages[0]?.name ?? null,
    revision: 0,
    ordinal: 0,
    rejection: null,
    fault: null,
    excluded: null,
  };
  return events.reduce((state, event) => laid(state, event, stages), start);
}
