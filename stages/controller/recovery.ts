import type { Recovery } from '../../schemas/experiment.ts';
import type { FaultCode } from '../../schemas/fault-code.ts';
import type { Clock } from '../context.ts';
import { Fault } from '../fault.ts';

type Listed = Recovery['on'][number];

/** Faults of the world by the words of a plan; everything else ends the run. */
const words: Partial<Record<FaultCode, Listed>> = {
  'model-unavailable': 'model-transport',
  'model-unreadable': 'model-transport',
  'sandbox-lost': 'sandbox-lost',
  'sandbox-failed': 'sandbox-lost',
  'run-deadline': 'sandbox-lost',
};

export type Retry = { readonly fault: string; readonly detail: string };

/**
 * The same call again, only for a fault on the frozen list and at most `times`; it is no attempt. What is not on the list, or
 * outlives the retries, is thrown. Source: contracts.md 11.4.
 */
export async function recovered<T>(
  { on, times, wait_s }: Recovery,
  clock: Clock,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<{ readonly value: T; readonly retries: readonly Retry[] }> {
  const retries: Retry[] = [];
  for (;;) {
    try {
      return { value: await call(), retries };
    } catch (error) {
      const word = error instanceof Fault ? words[error.code] : undefined;
      const isListed = word !== undefined && on.includes(word);
      if (!(error instanceof Fault) || !isListed || retries.length >= times) throw error;
      const seconds = wait_s[Math.min(retries.length, wait_s.length - 1)] ?? 0;
      retries.push({ fault: error.code, detail: error.message });
      await clock.sleep(seconds * 1000, signal);
    }
  }
}
