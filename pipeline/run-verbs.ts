import type { Task } from '../schemas/task.ts';
import { stages } from '../stages/registry.ts';
import type { Io } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import type { RecordState } from './ledger/fold.ts';
import type { OpenRun } from './open-run.ts';
import { type BatchEnd, runBatch } from './run-batch.ts';

/** Walk every open record of a run up to a verb's last stage, with a line of progress for each ending. */
export async function walkRecords(
  run: OpenRun,
  until: string,
  io: Pick<Io, 'progress'>,
  records: readonly string[] = run.ledger.records(),
): Promise<readonly BatchEnd[]> {
  let ended = 0;
  const walked = new Set<string>();
  const { progress } = io;
  return runBatch({
    records,
    stages,
    until,
    maxRevisions: run.config.review.rounds,
    contextFor: run.contextFor,
    ledger: run.ledger,
    concurrency: run.config.concurrency,
    onStage: (record, stage) => {
      walked.add(record);
      progress.step(`${stage} ${record}`, ended, records.length);
    },
    onEnd: (record, state) => {
      ended += 1;
      progress.step(until, ended, records.length);
      if (walked.has(record)) progress.line(`  ${record}: ${describeEnd(state)}`);
    },
  });
}

/** Where a record came to rest, in words. */
export function describeEnd({ rejection, fault, excluded, next, facts }: RecordState): string {
  if (excluded !== null) return `excluded: ${excluded}`;
  if (rejection !== null) return `refused (${rejection.code}): ${rejection.detail}`;
  if (fault !== null) return `fault (${fault.code}) in ${fault.stage}: ${fault.message}`;
  const task = facts.task as Task | undefined;
  const revision = task !== undefined && task.revision > 0 ? `, revision ${task.revision}` : '';
  return next === null ? `done${revision}` : `ready for ${next}${revision}`;
}

/** The exit code that a batch of ends deserves: waiting for answers, some fault, or done. */
export function exitOf(ends: readonly BatchEnd[]): number {
  const faults = ends.flatMap(({ state }) => state.fault ?? []);
  if (faults.some(({ code }) => code === 'model-waiting')) return exitCodes.waiting;
  return faults.length > 0 ? exitCodes.incomplete : exitCodes.done;
}

/** Counts of records by how they ended: open, accepted so far, each rejection code, faults. They add up. */
export function funnelOfRecords(states: readonly RecordState[]): Record<string, number> {
  const counts: Record<string, number> = { drafted: states.length };
  const add = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  for (const { rejection, fault, excluded } of states) {
    if (excluded !== null)
      add(/^(?:duplicate|contaminated)(?=: )/u.exec(excluded)?.[0] ?? 'excluded');
    else if (rejection !== null) add(rejection.code);
    else if (fault !== null) add(`fault:${fault.code}`);
    else add('accepted');
  }
  return counts;
}
