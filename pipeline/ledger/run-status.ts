import { z } from 'zod';
import type { LedgerEvent } from '../../schemas/event.ts';
import { Rollout } from '../../schemas/rollout.ts';
import { foldRecord, type RecordState, type StageShape } from './fold.ts';
import { type Money, moneyOf } from './money.ts';

type Counts = Readonly<Record<string, number>>;

/** Where a run stands, in counts. Every record is in exactly one of `waitingFor`, `rejected`, `excluded` and `finished`. */
export type RunStatus = {
  readonly records: number;
  /** By the stage that is to run next. */
  readonly waitingFor: Counts;
  readonly rejected: Counts;
  readonly excluded: number;
  readonly finished: number;
  /** Records whose last stage broke, by fault code; they are among `waitingFor` too. */
  readonly faulted: Counts;
  readonly faults: readonly {
    readonly record: string;
    readonly code: string;
    readonly message: string;
  }[];
  /** By outcome; `fault` for a rollout that has none. */
  readonly rollouts: Counts;
  readonly testRuns: number;
  readonly money: Money['total'];
  readonly moneyByRole: Money['byRole'];
};

function countBy<T>(items: readonly T[], name: (item: T) => string | null): Counts {
  const counts: Record<string, number> = {};
  for (const item of items) {
    const key = name(item);
    if (key !== null) counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

type Named = RecordState & { readonly record: string };

function recordsOf(events: readonly LedgerEvent[], stages: readonly StageShape[]): Named[] {
  const own = new Map<string, LedgerEvent[]>();
  for (const event of events) {
    if (event.record === null) continue;
    if (event.kind === 'record-opened' && !own.has(event.record)) own.set(event.record, []);
    own.get(event.record)?.push(event);
  }
  return [...own].map(([record, lines]) => ({ record, ...foldRecord(lines, stages) }));
}

const isOver = ({ rejection, excluded }: Named) => rejection !== null || excluded !== null;

function rolloutsOf({ facts }: Named): Rollout[] {
  return facts.rollouts === undefined ? [] : z.array(Rollout).parse(facts.rollouts);
}

/** Count what the events of a run tell. */
export function runStatus(
  events: readonly LedgerEvent[],
  stages: readonly StageShape[],
): RunStatus {
  const records = recordsOf(events, stages);
  const open = records.filter((record) => !isOver(record));
  const money = moneyOf(events);
  return {
    records: records.length,
    waitingFor: countBy(open, ({ next }) => next),
    rejected: countBy(records, ({ excluded, rejection }) =>
      excluded === null ? (rejection?.code ?? null) : null,
    ),
    excluded: records.filter(({ excluded }) => excluded !== null).length,
    finished: open.filter(({ next }) => next === null).length,
    faulted: countBy(open, ({ fault }) => fault?.code ?? null),
    faults: open.flatMap(({ record, fault }) =>
      fault === null ? [] : [{ record, code: fault.code, message: fault.message }],
    ),
    rollouts: countBy(records.flatMap(rolloutsOf), ({ outcome }) => outcome ?? 'fault'),
    testRuns: events.filter(({ kind }) => kind === 'tests-ran').length,
    money: money.total,
    moneyByRole: money.byRole,
  };
}
