import { describe, expect, test } from 'vitest';
import type { Ran, TestRunRequest } from '../../../schemas/test-run.ts';
import type { Play } from '../../support/context.ts';
import { ids, limiter, playLimiter } from '../../support/limiter.ts';
import { instanceOf } from '../../support/validated.ts';
import { onBench } from '../../support/woven.ts';

const settings = { mutantsPerPart: 4 };
const hidden = 'test/hidden.test.ts';
const second = 'test/second.test.ts';

/** The story's three values are three statements, 0 to 2; a second hidden file needs the last one. */
const cloth = { ...limiter, tests: { ...limiter.tests, [second]: 'second\n' } };
const play =
  (ran: Ran | undefined, inProbed: Partial<ReturnType<Play>> = {}): Play =>
  (read, request) => {
    const played = playLimiter(read, request);
    const { [ids.both]: both = 'failed', ...tests } = played.tests;
    const all = { tests: { ...tests, [`${second} > both`]: both } };
    return request.probed === true ? { ...all, ...(ran && { ran }), ...inProbed } : all;
  };
const whole: Ran = [
  { tests: [hidden], ids: [0, 1] },
  { tests: [hidden, second], ids: [2] },
];

async function weakened(played: Play) {
  const woven = await onBench(cloth, played, { settings });
  const instance = await instanceOf(woven);
  const filesOf = (tree: string) =>
    woven.requests.find((request) => request.tree === tree)?.files ?? [];
  const mutants = instance.mutants.map(({ part, tree, verdict }) => [part, verdict, filesOf(tree)]);
  return { instance, mutants, requests: woven.requests };
}

const probedIn = (requests: readonly TestRunRequest[]) => requests.filter((one) => one.probed);

describe('where tests say what they run', () => {
  test('a mutant is run by the test files that run its place, and by no other', async () => {
    const { instance, mutants, requests } = await weakened(play(whole));
    expect(mutants).toEqual([
      ['g1', 'killed', [hidden]],
      ['g2', 'killed', [hidden]],
      ['g3', 'killed', [hidden, second]],
    ]);
    expect(probedIn(requests)).toHaveLength(1);
    expect(instance.reach).toMatchObject({ places: 3, unreached: 0, run: expect.any(String) });
  });

  test('a place that no target test runs is not weakened', async () => {
    const { instance, mutants } = await weakened(play([{ tests: [hidden], ids: [0, 1] }]));
    expect(mutants.map(([part]) => part)).toEqual(['g1', 'g2']);
    expect(instance.reach).toMatchObject({ places: 3, unreached: 1 });
  });

  test('what ran beside no test in particular may be needed by all', async () => {
    const { mutants } = await weakened(play([{ tests: [], ids: [0, 1, 2] }]));
    expect(mutants.map(([, , files]) => files)).toEqual([
      [hidden, second],
      [hidden, second],
      [hidden, second],
    ]);
  });

  test('tests that were spared count as passing, so that a mutant is no coarser for it', async () => {
    const few: Ran = [{ tests: [hidden], ids: [0, 1, 2] }];
    const { mutants } = await weakened(play(few));
    expect(mutants.map(([, verdict]) => verdict)).toEqual(['killed', 'killed', 'survived']);
  });
});

describe('where nothing is known, mutants run whole test files on any line', () => {
  test.each([
    ['the runner cannot be asked', play(undefined)],
    ['no probe spoke', play([])],
    ['a target test fails beside the probes', play(whole, { tests: { [ids.one]: 'failed' } })],
  ])('since %s', async (_, played) => {
    const { instance, mutants } = await weakened(played);
    expect(mutants.map(([, , files]) => files)).toEqual([
      [hidden, second],
      [hidden, second],
      [hidden, second],
    ]);
    expect(instance.reach).toEqual({ run: null, places: 3, unreached: 0 });
  });
});

test('probes stand in the changed files and the hidden tests say their names; nothing else changes', async () => {
  const seen: string[] = [];
  const played: Play = (read, request) => {
    if (request.probed) seen.push(read('src/limit.ts'), read(hidden), read('src/near.ts'));
    return play(whole)(read, request);
  };
  await weakened(played);
  expect(seen[0]).toContain('globalThis.csw_ran?.(1);export const two = 2;');
  expect(seen[1]).toBe(`hidden\n\n;globalThis.csw_ran?.("${hidden}");\n`);
  expect(seen[2]).toBe('\n');
});

test('without mutants nobody is asked what tests run', async () => {
  const woven = await onBench(cloth, play(whole));
  expect((await instanceOf(woven)).reach).toBeUndefined();
  expect(probedIn(woven.requests)).toEqual([]);
});
