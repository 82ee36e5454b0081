import { expect, test } from 'vitest';
import { gatherCandidates } from '../../../stages/population/gather.ts';
import { ids, limit, soloPair } from '../../support/limiter.ts';
import {
  nothingKept,
  reviewable,
  reviewed,
  right,
  rollout,
  wrong,
} from '../../support/reviewed.ts';
import { keepTree } from '../../support/test-run.ts';

test('every population is there: kept, variants, solvers, ablations, mutants, merged solos', async () => {
  const { candidates } = await reviewed(
    reviewable('1', { variants: [wrong, right], solos: soloPair }),
    {
      settings: { mutantsPerPart: 1 },
      rollouts: ({ ledger }) => [rollout('r1', keepTree(ledger, limit(5, 2, 12)))],
    },
  );
  expect(candidates.map(({ id, set, claim, basis }) => `${set} ${id} ${claim} ${basis}`)).toEqual([
    'A nine wrong none',
    'A eleven valid none',
    'P r1 unknown none',
    'L B wrong construction',
    'L G|{R1} wrong construction',
    'L G|{R2} wrong construction',
    'M m1 unknown none',
    'M m3 unknown none',
    'N n1:R1+R2 unknown none',
  ]);
  expect(candidates.filter(({ set }) => set === 'L').every(({ passesTests }) => !passesTests)).toBe(
    true,
  );
  expect(candidates.find(({ set }) => set === 'N')).toMatchObject({
    failing: [ids.both],
    family: 'pack+pack',
  });
});

test('a tree is judged once, under the first claim made of it, and gold is nobody’s candidate', async () => {
  const { facts } = await reviewed(reviewable('1', { variants: [wrong] }));
  const tree = facts.task.variants[0]?.tree ?? '';
  const gathered = gatherCandidates({
    ...facts,
    kept: {
      ...nothingKept,
      wrong: [{ id: 'old', tree }],
      right: [{ id: 'gold', tree: facts.instance.goldTree }],
    },
    rollouts: [rollout('r1', tree), rollout('r2', facts.instance.goldTree)],
  });
  expect(gathered.filter((candidate) => candidate.tree === tree)).toMatchObject([
    { id: 'old', set: 'A', claim: 'wrong', basis: 'probe' },
  ]);
  expect(gathered.some((candidate) => candidate.tree === facts.instance.goldTree)).toBe(false);
});
