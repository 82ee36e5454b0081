import PQueue from 'p-queue';
import type { TestRuns } from '../stages/context.ts';

/** At most `slots` boxes open at once, to install or to run; waiting for a slot counts against no time limit. */
export function withSlots(runs: TestRuns, slots: number): TestRuns {
  const queue = new PQueue({ concurrency: slots });
  const inSlot = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
    queue.add(() => {
      signal.throwIfAborted();
      return work();
    });
  return {
    prepare: (spec, tree, signal) => inSlot(signal, () => runs.prepare(spec, tree, signal)),
    run: (request, signal, options) => inSlot(signal, () => runs.run(request, signal, options)),
  };
}
