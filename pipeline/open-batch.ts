import { stages } from '../stages/registry.ts';
import type { Io } from './arguments.ts';
import type { Mined } from './mined.ts';
import { openRecords } from './open-records.ts';
import type { OpenRun } from './open-run.ts';
import { walkRecords } from './run-verbs.ts';

/** For each place of the batch, so many groups more may be tried where the change does not come out of the newer history. */
const SPARE = 5;

/** Drafts that could not be made, which costs no test run. */
const conflicts = ({ ledger }: OpenRun, records: readonly string[]): number =>
  records.filter((record) => ledger.fold(record, stages).rejection?.code === 'base-conflict')
    .length;

/**
 * The records of a batch, drafted. A group whose base cannot be taken gives its place to the next one in rank, until the batch is
 * full, the groups are used up, or five times as many were tried; all of them stay in the funnel.
 */
export async function openBatch(
  run: OpenRun,
  mined: readonly Mined[],
  io: Pick<Io, 'progress'>,
): Promise<void> {
  const { batch } = run.config.synthesize;
  for (let spare = 0, before = -1; ; ) {
    const records = openRecords(run.ledger, mined, run.config, spare);
    if (records.length === before) return;
    before = records.length;
    await walkRecords(run, 'draft', io, records);
    const wanted = Math.min(conflicts(run, records), batch * SPARE);
    if (wanted <= spare) return;
    spare = wanted;
  }
}
