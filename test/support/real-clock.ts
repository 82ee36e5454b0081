import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../stages/context.ts';

/** The host's clock, for the few tests that wait for a real socket or process. */
export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
