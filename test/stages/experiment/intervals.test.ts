import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clopperPearson, wilson } from '../../../stages/experiment/intervals.ts';

test('nothing of 36 still allows up to 9.7 percent', () => {
  expect(clopperPearson(0, 36)).toEqual({
    low: 0,
    high: expect.closeTo(1 - 0.025 ** (1 / 36), 12),
  });
  expect(clopperPearson(0, 36)?.high).toBeCloseTo(0.0974, 4);
});

// Textbook values: 10 of 20 exact, and Wilson's for the same.
test('half of twenty has its known intervals', () => {
  expect(clopperPearson(10, 20)).toEqual({
    low: expect.closeTo(0.27196, 5),
    high: expect.closeTo(0.72804, 5),
  });
  expect(wilson(10, 20)).toEqual({
    low: expect.closeTo(0.29929, 4),
    high: expect.closeTo(0.70071, 4),
  });
});

test('a proportion of nothing has no interval', () => {
  expect([clopperPearson(0, 0), wilson(0, 0)]).toEqual([null, null]);
});

test.each([
  [3, 2],
  [-1, 4],
  [0.5, 3],
])('%s of %s is refused', (hits, of) => {
  expect(() => clopperPearson(hits, of)).toThrow('no proportion');
  expect(() => wilson(hits, of)).toThrow('no proportion');
});

test('the exact interval holds its proportion, and mirrors when hits and misses change places', () => {
  const counts = fc
    .integer({ min: 1, max: 200 })
    .chain((of) => fc.tuple(fc.integer({ min: 0, max: of }), fc.constant(of)));
  fc.assert(
    fc.property(counts, ([hits, of]) => {
      const own = clopperPearson(hits, of);
      const mirror = clopperPearson(of - hits, of);
      const rate = hits / of;
      return (
        own !== null &&
        mirror !== null &&
        own.low <= rate &&
        rate <= own.high &&
        Math.abs(own.low + mirror.high - 1) < 1e-9
      );
    }),
  );
});
