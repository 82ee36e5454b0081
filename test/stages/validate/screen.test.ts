import { describe, expect, test } from 'vitest';
import { screen } from '../../../stages/validate/screen.ts';
import { ids, limiter, playing, playLimiter, says } from '../../support/limiter.ts';
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

describe('the screen of drafts from history', () => {
  test('refuses what is not coupled by the tests of the seeds alone', async () => {
    const woven = await onBench(limiter, apart);
    expect(await screen(fromHistory(woven))).toMatchObject({ code: 'not-coupled' });
    const asked = new Set(woven.requests.flatMap(({ files }) => files));
    expect([...asked]).toEqual(woven.task.tests.files);
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

  test.each([
    [
      'no target test',
      playing(() => ({ [ids.one]: 'passed', [ids.two]: 'passed', [ids.both]: 'passed' })),
    ],
    [
      'no target that fails by assertion',
      playing((read) => {
        const ready = read('src/limit.ts').includes('joint = 12');
        return {
          [ids.one]: says(ready, 'error'),
          [ids.two]: says(ready, 'error'),
          [ids.both]: says(ready, 'error'),
        };
      }),
    ],
  ])('leaves a draft with %s to the gates that name it', async (_, play) => {
    expect(await screen(fromHistory(await onBench(limiter, play)))).toBeNull();
  });

  test('spends nothing where it would spare nothing', async () => {
    const woven = await onBench(limiter, apart);
    expect(await screen(woven.bench)).toBeNull();
    expect(await screen(fromHistory(woven, []))).toBeNull();
    expect(woven.requests).toEqual([]);
  });
});
