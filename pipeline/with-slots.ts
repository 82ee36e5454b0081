import PQueue from 'p-queue';
import type { TestRuns } from '../stages/context.ts';

/** At most `slots` boxes open at once; waiting for a slot counts against no time limit. */
export function withSlots(runs: TestRuns, slots: number): TestRuns {
  const queue = new PQueue({ concurrency: slots });
  return {
    prepare: runs.prepare,
    run: (request, signal) =>
      queue.add(() => {
        signal.throwIfAborted();
        return runs.run(request, signal);
      }),
  };
}
