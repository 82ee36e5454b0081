import { foldRecord, type StageShape } from '../../pipeline/ledger/fold.ts';
import type { EventKind, LedgerEvent } from '../../schemas/event.ts';

/** The lines of a ledger without a disk: bodies pass through JSON, a second line of one kind and key is not written. */
export function memoryEvents(start: readonly LedgerEvent[] = []) {
  const lines: LedgerEvent[] = [...start];
  const events = (kind: EventKind | null = null, record?: string) =>
    lines
      .filter((line) => (kind ?? line.kind) === line.kind)
      .filter((line) => (record ?? line.record) === line.record)
      .map((line, at) => ({ ...line, seq: at, at: 0 }));
  return {
    lines,
    events,
    note(event: LedgerEvent) {
      if (lines.some(({ kind, key }) => kind === event.kind && key === event.key)) return;
      lines.push({ ...event, body: JSON.parse(JSON.stringify(event.body)) });
    },
    fold: (record: string, stages: readonly StageShape[]) =>
      foldRecord(events(null, record), stages),
  };
}

/** A record with these facts, as a run opens it. */
export const opened = (record: string, facts: Readonly<Record<string, unknown>> = {}) =>
  ({ kind: 'record-opened', record, key: record, body: { facts } }) as const;
