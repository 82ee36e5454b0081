import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../schemas/verdict.ts';
import { ids, limit, path } from '../support/limiter.ts';
import {
  nothingKept,
  playWritten,
  reviewable,
  reviewed,
  right,
  rollout,
  wrong,
} from '../support/reviewed.ts';
import { keepTree } from '../support/test-run.ts';

const brief = (verdicts: readonly Verdict[]) =>
  verdicts
    .filter(({ verdict }) => verdict !== 'aligned')
    .map(({ verdict, kind, target }) =>
      `${verdict} ${kind} ${target.clause ?? target.test ?? ''}`.trim(),
    );

describe('no witness, at worst suspect', () => {
  test('a task whose tests judge by the statement is aligned clause by clause', async () => {
    const { verdicts } = await reviewed(reviewable('1, 11', { variants: [wrong, right] }));
    expect(verdicts.map(({ verdict, target }) => `${verdict} ${target.clause}`)).toEqual([
      'aligned R1.a',
      'aligned R2.a',
    ]);
  });

  test('a mutant that every test lets through and no probe catches is suspect, a line a part', async () => {
    const play: typeof playWritten = (read, request) => {
      const { tests, ...rest } = playWritten(read, request);
      const isMutant = /one = 2|two = 3/.test(read(path));
      return {
        ...rest,
        tests: isMutant
          ? Object.fromEntries(Object.keys(tests).map((id) => [id, 'passed']))
          : tests,
      };
    };
    const { verdicts } = await reviewed(reviewable('1'), { play, settings: { mutantsPerPart: 1 } });
    expect(brief(verdicts)).toEqual(['suspect FP1', 'suspect FP1']);
    expect(new Set(verdicts.map(({ id }) => id)).size).toBe(verdicts.length);
  });

  test('a solver that the probes call right and a test calls wrong is suspect', async () => {
    const { verdicts } = await reviewed(reviewable('1'), {
      rollouts: ({ ledger }) => [rollout('r1', keepTree(ledger, limit(11, 2, 12)))],
    });
    expect(brief(verdicts)).toEqual([`suspect FN4 ${ids.one}`]);
  });

  test('a solver that fails a probe too is just wrong', async () => {
    const { verdicts, candidates } = await reviewed(reviewable('1'), {
      rollouts: ({ ledger }) => [rollout('r1', keepTree(ledger, limit(5, 2, 12)))],
    });
    expect(brief(verdicts)).toEqual([]);
    expect(candidates.find(({ set }) => set === 'P')).toMatchObject({
      failing: [ids.one],
      failingProbes: ['p1'],
    });
  });
});

describe('a false positive has its witness', () => {
  test('a wrong variant that every test lets through and a probe catches', async () => {
    const { verdicts, facts } = await reviewed(reviewable('1, 9', { variants: [wrong] }));
    expect(brief(verdicts)).toEqual(['false-positive FP1 R1.a']);
    const [found] = verdicts;
    expect(found).toMatchObject({
      reasonCode: 'fp-wrong-variant-survives',
      target: { test: ids.one },
      witness: {
        type: 'probe',
        candidate: 'nine',
        tree: facts.task.variants[0]?.tree,
        expected: [
          { test: 'p1', tree: facts.instance.goldTree, result: 'passed' },
          { test: 'p1', tree: facts.task.variants[0]?.tree, result: 'not-passed' },
        ],
      },
    });
  });

  test('a solver’s patch and a mutant serve as well', async () => {
    const solver = await reviewed(reviewable('1, 5'), {
      rollouts: ({ ledger }) => [rollout('r1', keepTree(ledger, limit(5, 2, 12)))],
    });
    expect(brief(solver.verdicts)).toEqual(['false-positive FP1 R1.a']);
    const mutant = await reviewed(reviewable('1, 2'), { settings: { mutantsPerPart: 1 } });
    expect(brief(mutant.verdicts)).toEqual(['false-positive FP1 R1.a']);
    expect(mutant.verdicts[0]).toMatchObject({ witness: { candidate: 'm1' } });
  });

  test('a patch that broke its contract is no evidence', async () => {
    const { candidates } = await reviewed(reviewable('1, 5'), {
      rollouts: ({ ledger }) => [rollout('r1', keepTree(ledger, limit(5, 2, 12)), false)],
    });
    expect(candidates.filter(({ set }) => set === 'P')).toEqual([]);
  });

  test('a probe that gold fails is no probe', async () => {
    const probes = [{ id: 'unsound', clause: 'R1.a', path: 'test/unsound.test.ts' }];
    const { verdicts, candidates } = await reviewed(
      reviewable('1, 9', { probes, variants: [wrong] }),
    );
    expect(brief(verdicts)).toEqual([]);
    expect(candidates.find(({ id }) => id === 'nine')?.failingProbes).toEqual([]);
  });

  test('a cheat that was known before is seen at once when a revision lets it through', async () => {
    const cloth = reviewable('1, 9');
    const tree =
      (await reviewed({ ...cloth, variants: [wrong] })).facts.task.variants[0]?.tree ?? '';
    const { verdicts } = await reviewed(
      { ...cloth, variants: [wrong] },
      { kept: { ...nothingKept, wrong: [{ id: 'kept-nine', tree }] } },
    );
    expect(verdicts[0]).toMatchObject({ witness: { candidate: 'kept-nine' } });
  });
});

describe('a false negative has its witness', () => {
  test('a right variant that a test refuses', async () => {
    const { verdicts } = await reviewed(reviewable('1', { variants: [right] }));
    expect(brief(verdicts)).toEqual(['false-negative FN4 R1.a']);
    expect(verdicts[0]).toMatchObject({
      target: { test: ids.one },
      witness: {
        type: 'candidate',
        candidate: 'eleven',
        expected: [{ result: 'passed' }, { test: ids.one, result: 'not-passed' }],
      },
    });
  });

  test.each([
    [
      'one clause has no probe',
      { probes: [{ id: 'p1', clause: 'R1.a', path: 'test/p1.test.ts' }] },
    ],
    ['a probe refuses it', { variants: [{ ...right, files: limit(7, 2, 12) }] }],
    ['its author claims it wrong', { variants: [{ ...right, claim: 'wrong' as const }] }],
  ])('not where %s', async (_, change) => {
    const { verdicts } = await reviewed(reviewable('1', { variants: [right], ...change }));
    expect(brief(verdicts)).toEqual([]);
  });

  test('each refusing test is a verdict with an id of its own', async () => {
    const play: typeof playWritten = (read, request) => {
      const { tests, ...rest } = playWritten(read, request);
      return read(path).includes('one = 11')
        ? { ...rest, tests: { ...tests, [ids.both]: 'failed' } }
        : { ...rest, tests };
    };
    const { verdicts } = await reviewed(reviewable('1', { variants: [right] }), { play });
    const negative = verdicts.filter(({ verdict }) => verdict === 'false-negative');
    expect(negative.map(({ target }) => target.test)).toEqual([ids.both, ids.one]);
    expect(new Set(negative.map(({ id }) => id)).size).toBe(2);
  });
});

test('equal facts give equal verdicts', async () => {
  const twice = [1, 2].map(() => reviewed(reviewable('1, 9', { variants: [wrong, right] })));
  const [one, two] = await Promise.all(twice);
  expect(one?.verdicts).toEqual(two?.verdicts);
});
