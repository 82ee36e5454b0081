import { describe, expect, test } from 'vitest';
import type { Disturbance } from '../../../schemas/flake.ts';
import type { TestStatus } from '../../../schemas/test-report.ts';
import type { TestRunRequest } from '../../../schemas/test-run.ts';
import type { Play } from '../../support/context.ts';
import { holds, ids, limiter, playLimiter, says } from '../../support/limiter.ts';
import { instanceOf, refusalOf } from '../../support/validated.ts';
import { onBench } from '../../support/woven.ts';

const extra = 'test/hidden.test.ts > extra';
type When = (disturbance: Disturbance | undefined, repeat: number) => boolean;

/** The honest runner with one more test of R2, which fails on gold when it is told to. */
const failingWhen =
  (when: When, id: string = extra): Play =>
  (read, request) => {
    const played = playLimiter(read, request);
    const isGold = holds(read, 'joint = 12');
    const status: TestStatus =
      isGold && when(request.disturbance, request.repeat) ? 'failed' : says(holds(read, 'two = 2'));
    return { ...played, tests: { ...played.tests, [id]: status } };
  };

const kinds: readonly (readonly [string, When])[] = [
  ['order', (disturbance) => disturbance?.order === 'reverse'],
  ['order', (disturbance) => disturbance !== undefined && disturbance.order !== null],
  ['clock', (disturbance) => (disturbance?.clockShiftS ?? 0) > 0],
  ['chance', (_, repeat) => repeat === 1],
];

describe('a test that changes its verdict', () => {
  test.each(kinds)(
    'is quarantined with its evidence, and %s is suspected',
    async (suspect, when) => {
      const { groups, quarantined, flakes, admission } = await instanceOf(
        await onBench(limiter, failingWhen(when)),
      );
      expect(quarantined).toEqual([extra]);
      expect(groups.flatMap((group) => group.ids)).not.toContain(extra);
      expect(groups.flatMap((group) => group.ids)).toContain(ids.two);
      expect(flakes).toMatchObject([{ id: extra, suspect }]);
      expect(new Set(flakes?.[0]?.runs.map(({ status }) => status))).toEqual(
        new Set(['passed', 'failed']),
      );
      expect(flakes?.[0]?.runs.map(({ run }) => run)).toEqual(admission?.map(({ run }) => run));
    },
  );

  test('leaves the task without a group when it was all that a requirement had', async () => {
    const traces = [
      { test: ids.one, clauses: ['R1.a'] },
      { test: ids.two, clauses: ['R2.a'] },
    ];
    const play = failingWhen((disturbance) => disturbance?.order === 'reverse', ids.two);
    expect(await refusalOf(await onBench({ ...limiter, traces }, play))).toMatchObject({
      code: 'flaky',
      detail: expect.stringContaining('suspect: order'),
    });
  });

  test('is also one that only a diagnostic run turns up', async () => {
    const other = 'test/hidden.test.ts > other';
    const play: Play = (read, request) => {
      const first = failingWhen((disturbance) => disturbance?.order === 'reverse')(read, request);
      const second = failingWhen((_, repeat) => repeat > 2, other)(read, request);
      return {
        ...first,
        tests: { ...first.tests, ...second.tests, [extra]: first.tests[extra] ?? 'absent' },
      };
    };
    const { quarantined, flakes } = await instanceOf(await onBench(limiter, play));
    expect(quarantined).toEqual([extra, other]);
    expect(flakes).toMatchObject([{ suspect: 'order' }, { suspect: 'chance' }]);
  });
});

describe('a suite that never changes', () => {
  const repeated = (requests: readonly TestRunRequest[]) =>
    requests.filter(({ repeat, disturbance }) => repeat > 0 || disturbance !== undefined);

  test('loses no test and pays for no further run', async () => {
    const woven = await onBench(limiter, playLimiter);
    const instance = await instanceOf(woven);
    expect([instance.quarantined, instance.flakes]).toEqual([[], undefined]);
    const runs = repeated(woven.requests);
    expect(runs.map(({ repeat, disturbance }) => [repeat, disturbance?.order ?? null])).toEqual([
      [1, 'reverse'],
      [2, expect.any(Number)],
    ]);
    expect(instance.admission).toHaveLength(3);
  });

  test('is run again as it is where it cannot start when it is disturbed, and the silent run has no vote', async () => {
    const woven = await onBench(limiter, (read, request) =>
      request.disturbance === undefined
        ? playLimiter(read, request)
        : { tests: {}, status: 'no-report' },
    );
    const { quarantined, admission } = await instanceOf(woven);
    expect(quarantined).toEqual([]);
    expect(admission?.map(({ disturbance }) => disturbance?.order ?? null)).toEqual([
      null,
      null,
      null,
      'reverse',
      expect.any(Number),
    ]);
  });
});
