import { describe, expect, test } from 'vitest';
import { screen } from '../../../stages/validate/screen.ts';
import type { Play } from '../../support/context.ts';
import { holds, ids, limiter, playing, playLimiter, says } from '../../support/limiter.ts';
import { instanceOf } from '../../support/validated.ts';
import { onBench, type Woven } from '../../support/woven.ts';

const fromHistory = ({ bench }: Woven, regression = bench.task.tests.regression) => ({
  ...bench,
  task: {
    ...bench.task,
    mode: 'history' as const,
    tests: { ...bench.task.tests, regression },
  },
});

/** Nothing is left of the joint test, and each requirement stands for itself. */
const apart = playing(() => ({ [ids.both]: 'passed' }));

/** Every test needs both requirements. */
const mingled = playing((read) => {
  const both = says(holds(read, 'one = 1') && holds(read, 'two = 2'));
  return { [ids.one]: both, [ids.two]: both };
});

describe('the screen of drafts from history', () => {
  test('refuses what is not coupled by the tests of the seeds alone', async () => {
    const woven = await onBench(limiter, apart);
    expect(await screen(fromHistory(woven))).toMatchObject({ code: 'not-coupled' });
    const asked = new Set(woven.requests.flatMap(({ files }) => files));
    expect([...asked]).toEqual(woven.task.tests.files);
  });

  test('refuses it also where the base crashes', async () => {
    const crashing: Play = (read, request) => ({
      ...apart(read, request),
      ...(read('src/limit.ts').includes('joint = 0') ? { status: 'crashed' as const } : {}),
    });
    const woven = await onBench(limiter, crashing);
    expect(await screen(fromHistory(woven))).toMatchObject({ code: 'not-coupled' });
  });

  test.each([
    ['runs no mutant of a draft in which no test can depend on one requirement alone', 3, 0],
    ['runs them all the same where less than a joint edge is asked for', 2, 3],
  ] as const)('%s', async (_, level, mutants) => {
    const settings = { mutantsPerPart: 4, level };
    const woven = await onBench(limiter, mingled, { settings });
    const refusal = await screen(fromHistory(woven));
    const trees = new Set(woven.requests.map(({ tree }) => tree));
    const [lattice, probed] = [4, mutants > 0 ? 1 : 0];
    expect(trees.size).toBe(lattice + probed + mutants);
    if (level === 3)
      expect(refusal).toMatchObject({
        code: 'not-coupled',
        detail:
          'levels R1-R2:2, expected one at 3 and a connected graph; no test can depend on R1 and R2 alone, so no mutant was run',
      });
  });

  test('lets a coupled draft through', async () => {
    const woven = await onBench(limiter, playLimiter);
    expect(await screen(fromHistory(woven))).toBeNull();
  });

  test('asks no model for solos, which come behind the other gates', async () => {
    const woven = await onBench(limiter, playLimiter, {
      settings: { level: 4, soloSolvers: [{ name: 's', family: 'f', provider: 'mailbox' }] },
    });
    expect(await screen(fromHistory(woven))).toBeNull();
  });

  test('refuses what no test of the seeds can see', async () => {
    const seen = playing(() => ({
      [ids.one]: 'passed',
      [ids.two]: 'passed',
      [ids.both]: 'passed',
    }));
    const refusal = await screen(fromHistory(await onBench(limiter, seen)));
    expect(refusal).toMatchObject({ code: 'noop-passes' });
  });

  test('refuses what fails on the base nowhere by assertion', async () => {
    const blocked = playing((read) => {
      const ready = says(read('src/limit.ts').includes('joint = 12'), 'error');
      return { [ids.one]: ready, [ids.two]: ready, [ids.both]: ready };
    });
    const refusal = await screen(fromHistory(await onBench(limiter, blocked)));
    expect(refusal).toMatchObject({ code: 'noop-blocked-only' });
  });

  test('leaves tests that never run to the gates that name them', async () => {
    const broken = playing(() => ({ [ids.one]: 'error', [ids.two]: 'error', [ids.both]: 'error' }));
    expect(await screen(fromHistory(await onBench(limiter, broken)))).toBeNull();
  });

  test('spends nothing where it would spare nothing', async () => {
    const woven = await onBench(limiter, apart);
    expect(await screen(woven.bench)).toBeNull();
    expect(await screen(fromHistory(woven, []))).toBeNull();
    expect(woven.requests).toEqual([]);
  });
});

test('a test of an older file that only gold passes is put aside: no ablation runs its file', async () => {
  const play = playing((read) => ({
    [ids.old]: says(read('src/limit.ts').includes('joint = 12')),
    [`${ids.old} too`]: 'passed',
  }));
  const { groups, quarantined, traces } = await instanceOf(await onBench(limiter, play));
  expect(quarantined).toEqual([ids.old]);
  expect(groups.flatMap((group) => group.ids)).not.toContain(ids.old);
  expect(traces.map(({ test: id }) => id)).not.toContain(ids.old);
});
