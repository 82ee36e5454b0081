import type { LedgerEvent } from '../../schemas/event.ts';
import { canonicalJson, sha256 } from '../../stages/contract/canonical-json.ts';
import type { StoredEvent } from './events.ts';
import { foldRecord } from './fold.ts';
import type { OpenLedger } from './open.ts';

/** A ledger that is lived through once more: what is noted and put is compared, never written. */
export type ReplayingLedger = OpenLedger & {
  /** What came out otherwise than the first time, in the order it was found; empty when nothing did. */
  differences(): string[];
};

const lineName = ({ kind, key }: Pick<LedgerEvent, 'kind' | 'key'>) => `${kind} ${key}`;

/** The fields of two bodies that differ, for a message that a person can follow. */
function differing(before: unknown, after: unknown): string {
  if (!isObject(before) || !isObject(after)) return 'body';
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => text(before[key]) !== text(after[key]));
  return changed
    .map((key) => {
      const inner = differing(before[key], after[key]);
      return inner === 'body' ? key : `${key}.${inner}`;
    })
    .join(', ');
}

const text = (value: unknown) => (value === undefined ? '' : canonicalJson(value));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Stages and runners may use it as any ledger: records stand where the replay has come to, not where the run ended,
 * and `find` answers from the run. Bytes that the run never stored are kept in memory and named as a difference.
 * Lines of the run's own progress (`record-faulted`, `record-excluded`) are no part of a replay.
 */
export function replaying(run: OpenLedger): ReplayingLedger {
  const lived: StoredEvent[] = run.events('record-opened');
  const added = new Map<string, Uint8Array>();
  const found: string[] = [];
  const events: OpenLedger['events'] = (kind = null, record) =>
    lived.filter(
      (event) =>
        (kind === null || event.kind === kind) && (record === undefined || event.record === record),
    );
  return {
    ...run,
    events,
    fold: (record, stages) => foldRecord(events(null, record), stages),
    note(event) {
      const { kind, key } = event;
      if (lived.some((line) => line.kind === kind && line.key === key)) return;
      lived.push({ ...event, seq: lived.length + 1, at: 0 });
      const before = run.find(kind, key);
      if (before === null) found.push(`${lineName(event)}: the run has no such line`);
      else if (text(before) !== text(event.body)) {
        found.push(`${lineName(event)}: ${differing(before, event.body)} came out otherwise`);
      }
    },
    put(bytes) {
      const digest = sha256(bytes);
      if (!run.has(digest) && !added.has(digest)) {
        added.set(digest, bytes);
        found.push(`blob ${digest}: the run stored no such bytes`);
      }
      return digest;
    },
    get: (digest) => added.get(digest) ?? run.get(digest),
    has: (digest) => added.has(digest) || run.has(digest),
    differences() {
      const done = new Set(lived.map(lineName));
      const missing = run.events('stage-ended').filter((line) => !done.has(lineName(line)));
      return [...found, ...missing.map((line) => `${lineName(line)}: not reached again`)];
    },
  };
}
