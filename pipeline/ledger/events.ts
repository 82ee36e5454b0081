import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { EventKind, type LedgerEvent } from '../../schemas/event.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { Fault } from '../../stages/fault.ts';

const Row = z.object({
  seq: z.number().int(),
  kind: EventKind,
  record: z.string().nullable(),
  key: z.string(),
  body: z.string(),
  at: z.number(),
  previous: z.string(),
  hash: z.string(),
});
type Row = z.infer<typeof Row>;

/** A line as it lies in the ledger; `seq` is its place, `at` the writer's clock in milliseconds. */
export type StoredEvent = LedgerEvent & { readonly seq: number; readonly at: number };

/** What the first line of a ledger is chained to. */
const ORIGIN = '0'.repeat(64);

/** Time is left out, so that the same work done at another hour has the same chain. */
const chained = (row: Omit<Row, 'seq' | 'at' | 'hash'>) =>
  sha256(JSON.stringify([row.previous, row.kind, row.record, row.key, row.body]));

/** JSON would write NaN as null, and absent must never pass for zero. */
function exact(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`ledger: ${value} is not a JSON number`);
  }
  return value;
}

/** Keys keep their order here: a resumed run must print a fact exactly as the run that won it. */
function textOf(event: LedgerEvent): string {
  const text = JSON.stringify(event.body, exact);
  if (text === undefined) throw new TypeError(`ledger: ${event.kind} ${event.key} has no body`);
  return text;
}

const stored = ({ seq, kind, record, key, body, at }: Row): StoredEvent => ({
  seq,
  kind,
  record,
  key,
  body: JSON.parse(body),
  at,
});

/** Reading of lines, for writers and readers alike. */
export type EventReader = {
  /** The body of the line with this kind and key, or null. */
  find(kind: EventKind, key: string): unknown;
  /** Lines in their order; of one kind, of one record, or all. */
  events(kind?: EventKind | null, record?: string): StoredEvent[];
};

/** Lines of one open database. */
export function readEvents(database: DatabaseSync): EventReader {
  const byKey = database.prepare('select body from events where kind = ? and key = ?');
  const listed = database.prepare(
    `select * from events where (?1 is null or kind = ?1) and (?2 is null or record = ?2) order by seq`,
  );
  return {
    find(kind, key) {
      const row = byKey.get(kind, key);
      return row === undefined ? null : JSON.parse(z.object({ body: z.string() }).parse(row).body);
    },
    events: (kind = null, record) =>
      listed.all(kind, record ?? null).map((row) => stored(Row.parse(row))),
  };
}

/** The hash of the last line. Throws `ledger-damaged` at the first line that does not follow from the one before. */
export function checkChain(database: DatabaseSync): string {
  let previous = ORIGIN;
  for (const raw of database.prepare('select * from events order by seq').iterate()) {
    const row = Row.parse(raw);
    if (row.previous !== previous || chained(row) !== row.hash) {
      throw new Fault(
        `Ledger failed to open: line ${row.seq} (${row.kind} ${row.key}) is not what was written. Keep the folder and start again under another --run name.`,
        { code: 'ledger-damaged' },
      );
    }
    previous = row.hash;
  }
  return previous;
}

/**
 * What was paid for survives a power cut at once; the rest, which costs only time, with the next such line or checkpoint.
 * A killed process loses nothing either way. Waiting for the disk at every line would cost more than many test runs.
 */
function paceOf(database: DatabaseSync) {
  let pace = '';
  return (kind: EventKind): void => {
    const wanted = kind.startsWith('model-') ? 'full' : 'normal';
    if (wanted === pace) return;
    database.exec(`pragma synchronous = ${wanted}`);
    pace = wanted;
  };
}

/** Appends lines after the one whose hash is `last`; a line whose kind and key are there already is not written. */
export function appendEvents(database: DatabaseSync, last: string, now: () => number) {
  let previous = last;
  const keepPace = paceOf(database);
  const present = database.prepare('select 1 from events where kind = ? and key = ?');
  const insert = database.prepare(
    'insert into events (kind, record, key, body, at, previous, hash) values (?, ?, ?, ?, ?, ?, ?)',
  );
  return (event: LedgerEvent): void => {
    const { kind, record, key } = event;
    if (present.get(kind, key) !== undefined) return;
    keepPace(kind);
    const body = textOf(event);
    const hash = chained({ previous, kind, record, key, body });
    insert.run(kind, record, key, body, Math.round(now()), previous, hash);
    previous = hash;
  };
}
