import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock, Ledger } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { openBlobs, sweepDrafts, type WriteBytes } from './blobs.ts';
import { closeWriter, openForReading, openForWriting, prepareForWriting } from './database.ts';
import { appendEvents, checkChain, type EventReader, readEvents } from './events.ts';
import { foldRecord, type RecordState, type StageShape } from './fold.ts';
import { breakSeal, isSealed, writeSeal } from './seal.ts';
import { touching } from './world-fault.ts';
import { dropLock, takeLock, writerOf } from './writer-lock.ts';

/** The port of the stages, with what the pipeline reads from it. */
export type OpenLedger = Ledger &
  EventReader & {
    readonly folder: string;
    has(sha256: string): boolean;
    fold(record: string, stages: readonly StageShape[]): RecordState;
    /** Ids of all records, in the order they were opened. */
    records(): string[];
    /** Write mode: fold the log in, seal the folder, let the next writer in. May be called twice. */
    close(): void;
  };

type Options = {
  readonly folder: string;
  readonly mode: 'write' | 'read';
  readonly clock: Pick<Clock, 'now'>;
  readonly writeBytes?: WriteBytes;
};

const fileIn = (folder: string) => join(folder, 'ledger.sqlite');

/** Whether a folder holds a run at all. */
export const hasLedger = (folder: string): boolean => existsSync(fileIn(folder));

/**
 * The memory of one run: `ledger.sqlite` and `blobs/` below `folder`, made when missing in write mode.
 * Throws `ledger-busy` (another process writes), `out-not-writable`, `ledger-damaged`.
 */
export function openLedger(options: Options): OpenLedger {
  return options.mode === 'write' ? writer(options) : reader(options);
}

function acquire(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true });
  const database = openForWriting(fileIn(folder));
  try {
    takeLock(folder, database);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function prepared(folder: string, database: DatabaseSync): string {
  try {
    breakSeal(folder);
    sweepDrafts(folder);
    prepareForWriting(database);
    return checkChain(database);
  } catch (error) {
    database.close();
    dropLock(folder);
    throw error;
  }
}

function writer({ folder, clock, writeBytes }: Options): OpenLedger {
  const what = `Opening the ledger in ${folder}`;
  const database = touching(what, () => acquire(folder));
  const last = touching(what, () => prepared(folder, database));
  const append = appendEvents(database, last, () => clock.now());
  let open = true;
  return {
    ...reading(folder, database, writeBytes),
    note: (event) => touching(`Writing to the ledger in ${folder}`, () => append(event)),
    close() {
      if (!open) return;
      open = false;
      touching(`Closing the ledger in ${folder}`, () => {
        closeWriter(database);
        sweepDrafts(folder);
        writeSeal(folder);
        dropLock(folder);
      });
    },
  };
}

/** Nobody writes and nothing waits in the log. A reader in the way of the last checkpoint can leave lines there. */
function isStill(folder: string): boolean {
  const log = statSync(`${fileIn(folder)}-wal`, { throwIfNoEntry: false });
  return isSealed(folder) && writerOf(folder) === null && (log?.size ?? 0) === 0;
}

function reader({ folder, writeBytes }: Options): OpenLedger {
  if (!hasLedger(folder)) {
    throw new Fault(
      `Reading a run failed: ${folder} holds no ledger.sqlite. See --run and --out.`,
      {
        code: 'ledger-damaged',
      },
    );
  }
  const what = `Reading the ledger in ${folder}`;
  const database = touching(what, () => openForReading(fileIn(folder), isStill(folder)));
  touching(what, () => checkChain(database));
  const refuse = (): never => {
    throw new Error('ledger: opened for reading, not for writing');
  };
  return {
    ...touching(what, () => reading(folder, database, writeBytes)),
    note: refuse,
    put: refuse,
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

function reading(folder: string, database: DatabaseSync, writeBytes: WriteBytes | undefined) {
  const { find, events } = readEvents(database);
  return {
    folder,
    ...openBlobs(folder, writeBytes),
    find,
    events,
    fold: (record: string, stages: readonly StageShape[]) =>
      foldRecord(events(null, record), stages),
    records: () =>
      events('record-opened').flatMap(({ record }) => (record === null ? [] : [record])),
  };
}
