import type { Clock, TestRuns } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';

/** The fixed rule for trouble of the world: twice more, then it is told. */
export const RETRIES = 2;

/** Only a Fault knows whether it may be tried again; a result, whatever it says, never is. */
async function retried<T>(clock: Clock, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Fault) || !error.retryable || signal.aborted) throw error;
      if (tries > RETRIES) throw told(error, tries);
      await clock.sleep(error.retryAfterMs ?? 0, signal);
    }
  }
}

const told = (fault: Fault, tries: number) =>
  new Fault(`${fault.message} Tried ${tries} times.`, {
    code: fault.code,
    retryable: true,
    cause: fault,
  });

/** The same run again after a Fault that says it may be tried again, in a box of its own each time. */
export const withRetries = (runs: TestRuns, clock: Clock): TestRuns => ({
  prepare: (...call) => retried(clock, call[2], () => runs.prepare(...call)),
  run: (...call) => retried(clock, call[1], () => runs.run(...call)),
});
