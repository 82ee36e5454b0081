import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../stages/context.ts';

/**
 * The time of day at the start of this process, and from there by a clock that nobody sets: an hour that is put forward or back
 * under a run ends no budget, lengthens no wait and gives no duration below zero.
 */
export const steadyClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
