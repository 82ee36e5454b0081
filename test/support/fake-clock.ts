import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../stages/context.ts';

/** A clock that a test owns. `slept` holds every wait asked for, in milliseconds. */
export type FakeClock = Clock & { readonly slept: number[]; advance(ms: number): void };

/**
 * A sleep ends at once, having moved the time; it still lets the event loop turn, so that files and sockets go on.
 * `onSleep` runs after the n-th sleep (from 1): that is where a test lets the world change.
 */
export function fakeClock(
  start = Date.UTC(2026, 0, 1),
  onSleep: (count: number) => void = () => undefined,
): FakeClock {
  const slept: number[] = [];
  let now = start;
  return {
    slept,
    now: () => now,
    advance(ms) {
      now += ms;
    },
    async sleep(ms, signal) {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
      await setImmediate();
      signal.throwIfAborted();
      onSleep(slept.length);
    },
  };
}
