import { describe, expect, test } from 'vitest';
import { keepsOrder, rearranged, shuffleArguments } from '../../../stages/flakes/order.ts';
import { disturbanceOf } from '../../../stages/flakes/schedule.ts';

const scheduled = (repeats: number, seed = 1) =>
  Array.from({ length: repeats }, (_, at) => disturbanceOf(at, repeats, seed));

describe('the schedule of repeats', () => {
  test('the first run is undisturbed, the second backwards, the third shuffled under another clock', () => {
    const [first, second, third] = scheduled(3);
    expect(first).toBeNull();
    expect(second).toEqual({ order: 'reverse', clockShiftS: 0 });
    expect(third?.order).toBeTypeOf('number');
    expect(third?.clockShiftS).toBeGreaterThan(365 * 86_400);
  });

  test('of two runs the second carries both', () => {
    const [, second] = scheduled(2);
    expect(second?.order).toBe('reverse');
    expect(second?.clockShiftS).toBeGreaterThan(0);
  });

  test('many runs have as many orders, and every clock is another time of day', () => {
    const many = scheduled(29).flatMap((one) => one ?? []);
    expect(new Set(many.map(({ order }) => order)).size).toBe(28);
    const shifts = new Set(many.map(({ clockShiftS }) => clockShiftS).filter((s) => s !== 0));
    expect(shifts.size).toBe(3);
    expect([...shifts].filter((seconds) => seconds % 86_400 < 3600)).toEqual([]);
  });

  test('the same seed makes the same schedule, another one another', () => {
    expect(scheduled(5, 7)).toEqual(scheduled(5, 7));
    expect(scheduled(5, 7)).not.toEqual(scheduled(5, 8));
  });
});

describe('another order', () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f'];

  test('reverses files, or shuffles them by the seed and loses none', () => {
    expect(rearranged(files, 'reverse', 'node-test')).toEqual(files.toReversed());
    const shuffled = rearranged(files, 5, 'node-test');
    expect(shuffled).not.toEqual(files);
    expect(shuffled.toSorted()).toEqual(files);
    expect(rearranged(files, 5, 'node-test')).toEqual(shuffled);
  });

  test('leaves the files of a runner that sorts them itself, and tells it to shuffle where it can', () => {
    expect(keepsOrder.has('vitest')).toBe(false);
    expect(rearranged(files, 'reverse', 'vitest')).toEqual(files);
    expect(shuffleArguments('vitest', 9)).toContain('--sequence.seed=9');
    expect(shuffleArguments('go-test', 'reverse')).toEqual(['-shuffle=1']);
    expect(shuffleArguments('jest', 9)).toEqual(['--randomize', '--seed=9']);
    expect(shuffleArguments('cargo-test', 9)).toEqual([]);
    expect(shuffleArguments('vitest', null)).toEqual([]);
  });
});
