import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Fault } from '../../stages/fault.ts';

/** One step per schema version, in order; a published step is never edited, only followed by another. */
const migrations = [
  `create table events (
     seq integer primary key,
     kind text not null,
     record text,
     key text not null,
     body text not null,
     at integer not null,
     previous text not null,
     hash text not null,
     unique (kind, key)
   ) strict;
   create index events_of_record on events (record, seq);`,
];

/** The schema version that this program writes. */
const LEDGER_VERSION = migrations.length;

const BUSY_MS = 5000;

/** The value of a pragma that answers with one number. */
function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`pragma ${name}`).get();
  return Number(Object.values(row ?? {})[0]);
}

function refuseNewer(database: DatabaseSync, file: string): void {
  const version = pragma(database, 'user_version');
  if (version <= LEDGER_VERSION) return;
  throw new Fault(
    `Ledger failed to open: ${file} has version ${version}, this program knows up to ${LEDGER_VERSION}. Use the newer program that wrote it.`,
    { code: 'ledger-damaged' },
  );
}

/** The database for its one writer. The caller must take the writer's lock before `prepareForWriting`. */
export function openForWriting(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_MS });
  refuseNewer(database, file);
  return database;
}

const isBusy = (error: unknown) =>
  error instanceof Error && 'errcode' in error && error.errcode === 5;

/** SQLite's own timeout does not cover the switch to a write-ahead log: it fails at once when a newcomer looks in. */
function untilFree(work: () => void): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let left = BUSY_MS / 20; ; left--) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusy(error) || left <= 0) throw error;
      Atomics.wait(pause, 0, 0, 20);
    }
  }
}

/** Bring the schema up to date, with a log that readers can look past. */
export function prepareForWriting(database: DatabaseSync): void {
  untilFree(() => database.exec('pragma journal_mode = wal'));
  for (let version = pragma(database, 'user_version'); version < LEDGER_VERSION; version++) {
    database.exec(
      `begin immediate; ${migrations[version]}; pragma user_version = ${version + 1}; commit`,
    );
  }
}

/**
 * The database for a reader beside a living writer. A `still` file has no writer and is opened as immutable:
 * an ordinary reader would leave `-wal` and `-shm` files behind, and could not read a folder without write permission.
 */
export function openForReading(file: string, still: boolean): DatabaseSync {
  const url = pathToFileURL(file);
  if (still) url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true, timeout: BUSY_MS });
  refuseNewer(database, file);
  return database;
}

/** Fold the write-ahead log into the file and close it, so that one file holds everything. */
export function closeWriter(database: DatabaseSync): void {
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}
