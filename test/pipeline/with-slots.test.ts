import { expect, test } from 'vitest';
import { withSlots } from '../../pipeline/with-slots.ts';
import type { TestRuns } from '../../stages/context.ts';
import { scriptedRuns } from '../support/context.ts';
import { memoryLedger } from '../support/memory-ledger.ts';
import { requestFor, specFor } from '../support/test-run.ts';

/** Runs that count how many are open at once. */
function counting() {
  const runs = scriptedRuns(memoryLedger(), () => ({ tests: {} }));
  const seen = { open: 0, most: 0 };
  const counted =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      seen.open += 1;
      seen.most = Math.max(seen.most, seen.open);
      for (let wait = 10; wait > 0; wait--) await Promise.resolve();
      seen.open -= 1;
      return work(...args);
    };
  const port: TestRuns = { prepare: counted(runs.prepare), run: counted(runs.run) };
  return { port, seen };
}

const spec = specFor('node-test');
const { signal } = new AbortController();

test.each([1, 3])('with %i slots no more boxes are open, to install or to run', async (slots) => {
  const { port, seen } = counting();
  const limited = withSlots(port, slots);
  const runs = Array.from({ length: 5 }, (_, repeat) =>
    limited.run(requestFor(spec, { repeat }), signal),
  );
  await Promise.all([
    ...runs,
    limited.prepare(spec, 'tree', signal),
    limited.prepare(spec, 'tree', signal),
  ]);
  expect(seen.most).toBe(slots);
});

test('who waits for a slot when the run is called off never opens a box', async () => {
  const { port, seen } = counting();
  const limited = withSlots(port, 1);
  const off = new AbortController();
  const first = limited.run(requestFor(spec), signal);
  const second = limited.run(requestFor(spec), off.signal);
  off.abort();
  await expect(second).rejects.toThrow('abort');
  await first;
  expect(seen.most).toBe(1);
});

test('a lower time limit of one run reaches its box', async () => {
  const { port } = counting();
  const told: unknown[] = [];
  const limited = withSlots(
    {
      ...port,
      run: (request, given, most) => {
        told.push(most);
        return port.run(request, given, most);
      },
    },
    1,
  );
  await limited.run(requestFor(spec), signal, { timeoutMs: 5 });
  expect(told).toEqual([{ timeoutMs: 5 }]);
});
