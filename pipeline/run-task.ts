import type { Rejection } from '../schemas/rejection.ts';
import type { Context } from '../stages/context.ts';
import { Fault } from '../stages/fault.ts';
import type { Ending, Stage } from '../stages/stage.ts';
import type { RecordState } from './ledger/fold.ts';
import type { OpenLedger } from './ledger/open.ts';
import type { StageEnded } from './ledger/record-events.ts';

export type Walk = {
  readonly record: string;
  readonly stages: readonly Stage[];
  /** The last stage this verb may run. */
  readonly until: string;
  readonly maxRevisions: number;
  readonly context: Context;
  readonly ledger: Pick<OpenLedger, 'note' | 'fold' | 'events'>;
  readonly onStage?: (stage: string, state: RecordState) => void;
};

/**
 * Walk one record from where the ledger says it stands to the verb's last stage. `redo` sends it back at most
 * `maxRevisions` times. A fault ends the walk, is noted, and leaves the record to be resumed.
 */
export async function runTask(walk: Walk): Promise<RecordState> {
  const { record, stages, ledger, context } = walk;
  let state = ledger.fold(record, stages);
  for (let stage = nextStage(state, walk); stage !== null; stage = nextStage(state, walk)) {
    context.signal.throwIfAborted();
    walk.onStage?.(stage.name, state);
    const ending = await run(stage, state, context);
    if (ending instanceof Fault) {
      noteFault(walk, stage, ending);
      return ledger.fold(record, stages);
    }
    noteEnding(walk, stage, state, bounded(ending, state, walk));
    state = ledger.fold(record, stages);
  }
  return state;
}

function nextStage(state: RecordState, { stages, until }: Walk): Stage | null {
  if (state.next === null || state.rejection !== null || state.excluded !== null) return null;
  const index = stages.findIndex(({ name }) => name === state.next);
  const last = stages.findIndex(({ name }) => name === until);
  return index > last ? null : (stages[index] ?? null);
}

/** The one catch of the house: a fault ends the walk, a bug travels on. */
async function run(stage: Stage, state: RecordState, context: Context): Promise<Ending | Fault> {
  try {
    return await stage.run(state.facts, context);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** The redo after the last is a rejection, never a silent pass. */
function bounded(ending: Ending, { revision }: RecordState, { maxRevisions }: Walk): Ending {
  if (ending.kind !== 'redo' || revision < maxRevisions) return ending;
  const rejection: Rejection = {
    code: 'revisions-exhausted',
    detail: `still misaligned after ${maxRevisions} revisions`,
    evidence: [],
  };
  return { kind: 'rejected', rejection };
}

function noteEnding(walk: Walk, stage: Stage, state: RecordState, ending: Ending): void {
  const body: StageEnded = {
    stage: stage.name,
    ordinal: state.ordinal,
    revision: state.revision,
    ending: ending.kind,
    facts: ending.kind === 'rejected' ? {} : { ...ending.facts },
    ...(ending.kind === 'redo' ? { from: ending.from } : {}),
    ...(ending.kind === 'rejected' ? { rejection: ending.rejection } : {}),
  };
  const key = `${walk.record}:${state.ordinal}`;
  walk.ledger.note({ kind: 'stage-ended', record: walk.record, key, body });
}

function noteFault({ record, ledger }: Walk, stage: Stage, { code, message }: Fault): void {
  const earlier = ledger.events('record-faulted', record).length;
  const body = { stage: stage.name, code, message };
  ledger.note({ kind: 'record-faulted', record, key: `${record}:fault:${earlier}`, body });
}
