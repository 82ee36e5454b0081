import type { OpenLedger } from './ledger/open.ts';
import { TestsRan } from './ledger/run-events.ts';

/** Test runs that a run folder holds, and how long they took in their boxes. */
type TestFigures = {
  readonly runs: number;
  readonly seconds: number;
  /** Trees that were run: one is built once for all that is asked of it. */
  readonly trees: number;
  /** Runs that told what tests reach. */
  readonly probed: number;
};

/** Counted over the whole life of the run, whatever was resumed. */
export function testFigures(ledger: Pick<OpenLedger, 'events'>): TestFigures {
  const all = ledger.events('tests-ran').map(({ body }) => TestsRan.parse(body));
  const milliseconds = all.reduce((sum, { result }) => sum + result.durationMs, 0);
  return {
    runs: all.length,
    seconds: Math.round(milliseconds / 100) / 10,
    trees: new Set(all.map(({ request }) => request.tree)).size,
    probed: all.filter(({ request }) => request.probed === true).length,
  };
}

export const describeFigures = ({ runs, seconds, trees, probed }: TestFigures): string =>
  `tests: ${runs} runs of ${trees} trees, ${seconds} s in their boxes, ${probed} with probes`;
