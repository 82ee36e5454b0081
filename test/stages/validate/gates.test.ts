import { describe, expect, test } from 'vitest';
import { build } from '../../../stages/build.ts';
import { type Play, storyContext } from '../../support/context.ts';
import { holds, ids, limiter, playing, playLimiter, says } from '../../support/limiter.ts';
import { instanceOf, refusalOf } from '../../support/validated.ts';
import { onBench, weave } from '../../support/woven.ts';

describe('every gate refuses with its own code', () => {
  const cases: readonly (readonly [string, string, Play, Partial<typeof limiter>])[] = [
    [
      'noop-passes',
      'every target test passes on the base',
      playing(() => ({ [ids.one]: 'passed', [ids.two]: 'passed', [ids.both]: 'passed' })),
      {},
    ],
    [
      'noop-passes',
      'the tests of R2 pass on the base',
      playing(() => ({ [ids.two]: 'passed' })),
      { traces: [{ test: ids.two, clauses: ['R2.a'] }] },
    ],
    [
      'noop-blocked-only',
      'cannot run',
      playing((read) =>
        Object.fromEntries(
          [ids.one, ids.two, ids.both].map((id) => [id, says(holds(read, 'joint = 12'), 'error')]),
        ),
      ),
      {},
    ],
    ['gold-fails', 'gold fails 1 test(s)', playing(() => ({ [ids.both]: 'failed' })), {}],
    [
      'gold-fails',
      'gold fails 3 test(s)',
      playing(() => ({ [ids.one]: 'failed', [ids.two]: 'failed', [ids.both]: 'error' })),
      {},
    ],
    [
      'flaky',
      'changes its verdict',
      playing((read, repeat) =>
        repeat === 2 || !holds(read, 'joint = 12')
          ? { [ids.one]: 'failed', [ids.two]: 'failed', [ids.both]: 'failed' }
          : {},
      ),
      {},
    ],
    [
      'flaky',
      'changes its verdict',
      playing((_, repeat) => (repeat === 2 ? { [ids.two]: 'failed' } : {})),
      {
        traces: [
          { test: ids.one, clauses: ['R1.a'] },
          { test: ids.two, clauses: ['R2.a'] },
        ],
      },
    ],
    [
      'untraceable',
      'no killing test for clause R2.a',
      playLimiter,
      {
        traces: [
          { test: ids.one, clauses: ['R1.a'] },
          { test: ids.two, clauses: ['R1.a'] },
          { test: ids.both, clauses: ['R1.a'] },
        ],
      },
    ],
    [
      'untraceable',
      'checks no clause',
      playLimiter,
      {
        traces: [
          { test: ids.one, clauses: ['R1.a'] },
          { test: ids.both, clauses: ['R2.a'] },
        ],
      },
    ],
    [
      'draft-invalid',
      'traces "nowhere"',
      playLimiter,
      { traces: [{ test: 'nowhere', clauses: ['R1.a'] }] },
    ],
  ];

  test.each(cases)('%s: %s', async (code, detail, play, change) => {
    const refusal = await refusalOf(await onBench({ ...limiter, ...change }, play));
    expect(refusal?.detail).toContain(detail);
    expect(refusal?.code).toBe(code);
    expect(refusal?.evidence).not.toEqual([]);
  });

  test.each([
    ['crashes', 'crashed'],
    ['gives no report', 'no-report'],
    ['runs out of time', 'timed-out'],
  ] as const)('env-build-failed: the own suite of the base %s', async (_, status) => {
    const play: Play = (read, request) =>
      request.overlay.length > 0 ? playLimiter(read, request) : { tests: {}, status };
    const woven = await onBench(limiter, play);
    const refusal = await refusalOf(woven);
    expect(refusal).toMatchObject({ code: 'env-build-failed' });
    expect(refusal?.detail).toContain(status);
    expect(woven.requests).toHaveLength(1);
  });

  test('env-build-failed: nothing can be read of a run on gold, and that is never "all failed"', async () => {
    const play: Play = (read, request) =>
      holds(read, 'joint = 12') ? { tests: {}, status: 'unreadable' } : playLimiter(read, request);
    expect(await refusalOf(await onBench(limiter, play))).toMatchObject({
      code: 'env-build-failed',
      detail: 'the suite cannot run: unreadable, 0 passed',
    });
  });

  test('not-coupled carries the matrix', async () => {
    const woven = await onBench(limiter, playLimiter, { settings: { level: 4 } });
    expect(await refusalOf(woven)).toEqual({
      code: 'not-coupled',
      detail: 'levels R1-R2:3, expected one at 4 and a connected graph',
      evidence: [
        'B T_1=fail T_2=fail T_1_2=fail P=pass',
        'G|{R1} T_1=pass T_2=fail T_1_2=fail P=pass',
        'G|{R2} T_1=fail T_2=pass T_1_2=fail P=pass',
        'G T_1=pass T_2=pass T_1_2=pass P=pass',
      ],
    });
  });

  test('contract-unfit: gold edits what its contract protects', async () => {
    const woven = await onBench(limiter, playLimiter);
    const editable = woven.task.contract.editable.filter(({ file }) => file !== 'src/limit.ts');
    const task = { ...woven.task, contract: { ...woven.task.contract, editable, create: [] } };
    const refusal = await refusalOf({ ...woven, task });
    expect(refusal?.code).toBe('contract-unfit');
    expect(refusal?.detail).toContain('gold breaks the contract');
  });

  test('contract-unfit: a contract that does not fit its base', async () => {
    const woven = await onBench(limiter, playLimiter);
    const editable = [{ file: 'src/missing.ts', whole_file: true as const, max_bytes: 9 }];
    const task = { ...woven.task, contract: { ...woven.task.contract, editable } };
    expect(await refusalOf({ ...woven, task })).toMatchObject({ code: 'contract-unfit' });
  });

  test('build refuses what cannot be installed, with the last lines', async () => {
    const { context, ledger } = await storyContext();
    const failing = {
      ...context,
      runs: {
        ...context.runs,
        prepare: () =>
          Promise.resolve({ ready: false as const, step: 'npm ci', tail: 'no such lock' }),
      },
    };
    expect(await build.run({ task: weave(ledger, limiter) }, failing)).toEqual({
      kind: 'rejected',
      rejection: { code: 'env-build-failed', detail: 'npm ci: no such lock', evidence: [] },
    });
  });
});

describe('a test that changes its verdict', () => {
  const again = 'test/hidden.test.ts > two again';
  const wobbling = playing((read, repeat) => ({
    [again]: says(holds(read, 'two = 2') && repeat !== 1),
  }));

  test('is quarantined by name, once, and in no group', async () => {
    const instance = await instanceOf(await onBench(limiter, wobbling));
    expect(instance.quarantined).toEqual([again]);
    expect(instance.groups.flatMap((group) => group.ids)).not.toContain(again);
  });

  test('is named once also when its first run failed', async () => {
    const failsFirst = playing((read, repeat) => ({
      [again]: says(holds(read, 'two = 2') && repeat !== 0),
    }));
    const instance = await instanceOf(await onBench(limiter, failsFirst));
    expect(instance.quarantined).toEqual([again]);
  });
});

test('a failure that the base shows too is the repository’s own and is set aside', async () => {
  const woven = await onBench(limiter, (read, request) => {
    const played = playLimiter(read, request);
    return { tests: { ...played.tests, 'test/old.test.ts > broken': 'failed' } };
  });
  expect((await instanceOf(woven)).quarantined).toEqual(['test/old.test.ts > broken']);
});
