import { expect, test } from 'vitest';
import { subsetName, subsetsOf } from '../../../stages/weave/subset-lattice.ts';

const ids = (k: number) => Array.from({ length: k }, (_, at) => `R${at + 1}`);

test.each([
  [2, 4],
  [3, 8],
  [4, 16],
])('%i requirements have all %i subsets', (k, count) => {
  expect(subsetsOf(ids(k), [])).toHaveLength(count);
});

test('subsets come smallest first, in the order of the requirements, with their printed names', () => {
  expect(subsetsOf(['R1', 'R2'], []).map(({ name }) => name)).toEqual([
    'B',
    'G|{R1}',
    'G|{R2}',
    'G',
  ]);
});

test('five requirements have none, singles, complements, declared pairs and all, each once', () => {
  const names = subsetsOf(ids(5), [['R4', 'R2']]).map(({ name }) => name);
  expect(names).toEqual([
    'B',
    ...ids(5).map((id) => `G|{${id}}`),
    'G|{R2,R4}',
    'G|{R1,R2,R3,R4}',
    'G|{R1,R2,R3,R5}',
    'G|{R1,R2,R4,R5}',
    'G|{R1,R3,R4,R5}',
    'G|{R2,R3,R4,R5}',
    'G',
  ]);
});

test('a single requirement has base and gold', () => {
  expect(subsetsOf(['R1'], []).map(({ name }) => name)).toEqual(['B', 'G']);
  expect(subsetName([], [])).toBe('B');
});
