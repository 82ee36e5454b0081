import { describe, expect, test } from 'vitest';
import { Drafting } from '../../../schemas/draft-answer.ts';
import { Task } from '../../../schemas/task.ts';
import { digestOf } from '../../../stages/contract/canonical-json.ts';
import { draftedBy, goodPlan, goodScript } from '../../support/drafter-bench.ts';
import { ids, path } from '../../support/limiter.ts';

describe('a drafter', () => {
  test('is asked for a plan, for gold and tests, and for each requirement alone; its task passed every gate', async () => {
    const { facts, steps } = await draftedBy();
    expect(steps).toEqual(['draft:plan 1', 'draft:work 1', 'solo:R1 1', 'solo:R2 1']);
    const task = Task.parse(facts.task);
    expect(task).toMatchObject({
      mode: 'forward',
      seeds: ['s1', 's2'],
      gold: [{ id: 'g1' }, { id: 'g2' }, { id: 'g12', needs: ['R1', 'R2'] }],
      tests: { files: ['test/hidden.test.ts'], regression: ['test/old.test.ts'] },
      solos: [
        { requirement: 'R1', by: 'model', entrant: 'pen' },
        { requirement: 'R2', by: 'model', entrant: 'pen' },
      ],
    });
    expect(task.statement).toContain('R1 and R2: Both together make twelve.');
    expect(Drafting.parse(facts.drafting).turns).toMatchObject([
      { step: 'plan', refused: null },
      { step: 'work', refused: null },
    ]);
  });

  test('sees statements, ties, documents, test ids and the touched file, all quoted', async () => {
    const { said } = await draftedBy();
    for (const shown of [
      'Seed of R2: Number 2 must be delivered',
      `R1 and R2: same-file (${path})`,
      '"thread:1">\nHello. Number 1',
      `- ${ids.old}`,
      `"${path}">\nexport const one = 0;`,
    ])
      expect(said(0)).toContain(shown);
    expect(said(1)).toContain('- R1.a: The first is one.');
    expect(said(2)).not.toContain('The second is two.');
  });

  test('reaches level 4 by its own solos, where that is the bar', async () => {
    const { facts, refused } = await draftedBy({ settings: { level: 4 } });
    expect(refused).toBeNull();
    expect(Task.parse(facts.task).solos).toHaveLength(2);
  });

  test('is asked nothing when the environment does not build', async () => {
    const { refused, asked } = await draftedBy({ ready: false });
    expect(refused).toMatchObject({ code: 'env-build-failed', detail: 'install: no network' });
    expect(asked).toEqual([]);
  });

  test('is asked nothing when no test of the base runs', async () => {
    const { refused, asked } = await draftedBy({ play: () => ({ tests: {}, status: 'crashed' }) });
    expect(refused).toMatchObject({ code: 'env-build-failed' });
    expect(asked).toEqual([]);
  });

  test('that nobody is gives a fault, which names the role', async () => {
    await expect(draftedBy({ settings: { drafter: null } })).rejects.toMatchObject({
      code: 'model-unavailable',
      message: expect.stringContaining('roles.drafter'),
    });
  });

  test('that has no answer yet leaves a fault, and nothing is refused', async () => {
    await expect(draftedBy({ script: { 'draft:plan': [goodPlan] } })).rejects.toMatchObject({
      code: 'script-dry',
    });
  });
});

describe('an answer that cannot be read', () => {
  test('is asked for once more and may come then', async () => {
    const { refused, steps } = await draftedBy({
      script: { ...goodScript, 'draft:plan': ['no plan today', goodPlan] },
    });
    expect(refused).toBeNull();
    expect(steps.slice(0, 2)).toEqual(['draft:plan 1', 'draft:plan 1 again']);
  });

  test('twice is `draft-invalid`', async () => {
    const { refused, asked } = await draftedBy({
      script: { ...goodScript, 'draft:work': ['no', '{"parts": []}'] },
    });
    expect(refused).toMatchObject({
      code: 'draft-invalid',
      detail: expect.stringContaining('schema'),
    });
    expect(asked).toHaveLength(3);
  });
});

const quoting = (quote: string) => ({
  ...goodPlan,
  requirements: goodPlan.requirements.map((requirement, at) => ({
    ...requirement,
    clauses: requirement.clauses.map((clause) =>
      at === 0 ? { ...clause, quotes: [{ doc: 'thread:1', quote }] } : clause,
    ),
  })),
});

describe('a refused plan', () => {
  test.each([
    ['a false quote', quoting('Number 1 may be delivered'), 'does not stand in thread:1'],
    ['a missing coupling', { ...goodPlan, couplings: [] }, 'have no coupling'],
    [
      'an empty interaction clause',
      {
        ...goodPlan,
        couplings: goodPlan.couplings.map((coupling) => ({ ...coupling, text: ' ' })),
      },
      'does not say what must hold',
    ],
    [
      'too few requirements',
      { ...goodPlan, requirements: goodPlan.requirements.slice(0, 1), couplings: [] },
      'there are 1 requirements, expected 2',
    ],
    [
      'a coupling to nobody',
      {
        ...goodPlan,
        couplings: [...goodPlan.couplings, { from: 'R1', to: 'R9', kind: 'orders', text: 'x' }],
      },
      'R9, which does not exist',
    ],
  ])('for %s goes back with what is wrong', async (_, plan, problem) => {
    const { refused, said, steps } = await draftedBy({
      script: { ...goodScript, 'draft:plan': [plan, goodPlan] },
    });
    expect(refused).toBeNull();
    expect(steps[1]).toBe('draft:plan 2');
    expect(said(1)).toContain(problem);
  });

  test('is refused for good after three corrections, with every request as evidence', async () => {
    const bad = quoting('nowhere');
    const { refused, asked } = await draftedBy({
      script: { 'draft:plan': [bad, bad, bad, bad] },
    });
    expect(asked).toHaveLength(4);
    expect(new Set(asked.map((request) => digestOf(request))).size).toBe(4);
    expect(refused).toMatchObject({
      code: 'draft-invalid',
      detail: expect.stringContaining('(after 3 corrections)'),
      evidence: expect.arrayContaining(asked.map((request) => digestOf(request))),
    });
  });
});
