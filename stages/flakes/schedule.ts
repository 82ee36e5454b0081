import type { Disturbance } from '../../schemas/flake.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** Ahead by more than a year, by a month and by years; never by whole days, so that the time of day changes too. */
const SHIFTS_S = [
  400 * DAY_S + 13 * HOUR_S + 431,
  31 * DAY_S + 5 * HOUR_S + 67,
  11 * 365 * DAY_S + 9 * HOUR_S + 1999,
] as const;

const shiftOf = (at: number): number => SHIFTS_S[at % SHIFTS_S.length] ?? SHIFTS_S[0];

/**
 * How the n-th of several runs on gold is disturbed; null for the first, which says what gold says. The second has everything
 * backwards, so that each pair of tests changes places; all later ones are shuffled, every other one under another clock.
 * Of two runs the second carries both. Source: grading.md 6.
 */
export function disturbanceOf(repeat: number, repeats: number, seed: number): Disturbance | null {
  if (repeat === 0) return null;
  if (repeat === 1) return { order: 'reverse', clockShiftS: repeats === 2 ? shiftOf(0) : 0 };
  const order = 1 + ((Math.abs(seed) * 31 + repeat * 7919) % 1_000_003);
  const isShifted = repeat % 2 === 0;
  return { order, clockShiftS: isShifted ? shiftOf(repeat / 2 - 1) : 0 };
}
