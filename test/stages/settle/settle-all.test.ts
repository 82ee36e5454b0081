import { expect, test } from 'vitest';
import { settleAll } from '../../../stages/settle/settle-all.ts';

test('results come in the order of the items, whatever order they were reached in', async () => {
  const turns = [3, 1, 2];
  const results = await settleAll(turns, async (turn, index) => {
    for (let wait = turn; wait > 0; wait--) await Promise.resolve();
    return `${index}:${turn}`;
  });
  expect(results).toEqual(['0:3', '1:1', '2:2']);
});

test('the first failure is raised only after all have come to rest', async () => {
  const rested: number[] = [];
  const work = async (turn: number) => {
    for (let wait = turn; wait > 0; wait--) await Promise.resolve();
    rested.push(turn);
    if (turn < 3) throw new Error(`number ${turn}`);
  };
  await expect(settleAll([5, 2, 1, 4], work)).rejects.toThrow('number 2');
  expect(rested).toEqual([1, 2, 4, 5]);
});
