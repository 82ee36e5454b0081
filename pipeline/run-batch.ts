import PQueue from 'p-queue';
import type { Context } from '../stages/context.ts';
import type { RecordState } from './ledger/fold.ts';
import { runTask, type Walk } from './run-task.ts';

type Batch = Omit<Walk, 'record' | 'onStage' | 'context'> & {
  /** The world of one record, so that a call is paid by the record that makes it. */
  readonly contextFor: (record: string) => Context;
  readonly records: readonly string[];
  readonly concurrency: number;
  readonly onStage?: (record: string, stage: string) => void;
  readonly onEnd?: (record: string, state: RecordState) => void;
};

export type BatchEnd = { readonly record: string; readonly state: RecordState };

/**
 * Many records, one signal. A fault stays with its record and its siblings go on; a bug or an abort is raised
 * only after the others have come to rest. Ends come in the order of `records`, whatever order they were reached in.
 */
export async function runBatch(batch: Batch): Promise<readonly BatchEnd[]> {
  const queue = new PQueue({ concurrency: batch.concurrency });
  const settled = await Promise.allSettled(
    batch.records.map((record) => queue.add(() => walk(batch, record))),
  );
  const failed = settled.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

async function walk(batch: Batch, record: string): Promise<BatchEnd> {
  const context = batch.contextFor(record);
  context.signal.throwIfAborted();
  const onStage = (stage: string) => batch.onStage?.(record, stage);
  const state = await runTask({ ...batch, context, record, onStage });
  batch.onEnd?.(record, state);
  return { record, state };
}
