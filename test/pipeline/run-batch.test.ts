import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runBatch } from '../../pipeline/run-batch.ts';
import type { Context } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { defineStage, done } from '../../stages/stage.ts';
import { storyContext } from '../support/context.ts';
import { memoryEvents, opened } from '../support/memory-events.ts';

const { context } = await storyContext();
const records = ['a', 'b', 'c', 'd', 'e'];

/** One stage over five records; `play` is what it does with each. */
function batchOf(
  play: (record: string) => Promise<void>,
  rest: { concurrency?: number; contextFor?: (record: string) => Context } = {},
) {
  const rested: string[] = [];
  const work = defineStage({
    name: 'work',
    needs: { name: z.string() },
    gives: { ended: z.boolean() },
    async run({ name }, _: Context) {
      await play(name);
      rested.push(name);
      return done({ ended: true });
    },
  });
  const ends = runBatch({
    records,
    stages: [work],
    until: 'work',
    maxRevisions: 0,
    contextFor: () => context,
    ledger: memoryEvents(records.map((record) => opened(record, { name: record }))),
    concurrency: 2,
    ...rest,
  });
  return { ends, rested };
}

const turns = async (count: number) => {
  for (let wait = count; wait > 0; wait--) await Promise.resolve();
};

describe('many records', () => {
  test.each([1, 2, 8])('come back in their own order from %i at a time', async (concurrency) => {
    const { ends } = batchOf((name) => turns(50 - records.indexOf(name) * 10), { concurrency });
    expect((await ends).map(({ record }) => record)).toEqual(records);
  });

  test('are never more at a time than is allowed', async () => {
    let [open, most] = [0, 0];
    const { ends } = batchOf(async () => {
      most = Math.max(most, ++open);
      await turns(20);
      open -= 1;
    });
    await ends;
    expect(most).toBe(2);
  });

  test('each live in a world of their own', async () => {
    const asked: string[] = [];
    const contextFor = (record: string) => {
      asked.push(record);
      return context;
    };
    await batchOf(async () => undefined, { contextFor }).ends;
    expect(asked).toEqual(records);
  });
});

test('a fault stays with its record; the siblings go on', async () => {
  const { ends } = batchOf(async (name) => {
    if (name === 'b') throw new Fault('The model is away.', { code: 'model-unavailable' });
  });
  const states = (await ends).map(({ record, state }) => [record, state.fault?.code ?? 'done']);
  expect(states).toEqual([
    ['a', 'done'],
    ['b', 'model-unavailable'],
    ['c', 'done'],
    ['d', 'done'],
    ['e', 'done'],
  ]);
});

test('a bug is raised, but only after all the others have come to rest', async () => {
  const { ends, rested } = batchOf(async (name) => {
    if (name === 'a') throw new TypeError('a bug');
    await turns(30);
  });
  await expect(ends).rejects.toThrow('a bug');
  expect(rested).toEqual(['b', 'c', 'd', 'e']);
});

test('a batch that is called off starts no further record and says so', async () => {
  const off = new AbortController();
  const { ends, rested } = batchOf(
    async (name) => {
      if (name === 'b') off.abort();
    },
    { concurrency: 1, contextFor: () => ({ ...context, signal: off.signal }) },
  );
  await expect(ends).rejects.toThrow('abort');
  expect(rested).toEqual(['a', 'b']);
});
