import { expect, test } from 'vitest';
import { randomFrom, shuffled } from '../../../stages/weave/random.ts';

test('a seed gives the same numbers everywhere, another seed gives others', () => {
  const three = (seed: number) => {
    const random = randomFrom(seed);
    return [random(), random(), random()];
  };
  expect(three(1)).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
  expect(three(2)).not.toEqual(three(1));
});

test('a shuffle keeps every item and leaves the list alone', () => {
  const items = [1, 2, 3, 4, 5, 6, 7, 8];
  const mixed = shuffled(items, randomFrom(7));
  expect(mixed).not.toEqual(items);
  expect(mixed.toSorted()).toEqual(items);
  expect(shuffled(items, randomFrom(7))).toEqual(mixed);
});
