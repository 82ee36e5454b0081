import { describe, expect, test } from 'vitest';
import { tally } from '../../../stages/experiment/compare.ts';
import { printFraction, signTest } from '../../../stages/experiment/exact-test.ts';
import { experimentFigures } from '../../../stages/experiment/figures.ts';
import { reportCsv } from '../../../stages/experiment/report-csv.ts';
import { reportMarkdown } from '../../../stages/experiment/report-markdown.ts';
import { reportSvg } from '../../../stages/experiment/report-svg.ts';
import { capriPlan, capriRollouts, rolloutRecord } from '../../support/capri-rollouts.ts';
import { capriConditions, capriOutcomes, capriTasks } from '../../support/capri-table.ts';

const figures = () => experimentFigures(capriPlan(), capriRollouts());

describe('the published study, from its counts by task', () => {
  test('sums and coverage are those of the tables', () => {
    const sums = figures().conditions.map(({ condition, outcomes, covered }) => [
      condition,
      outcomes['valid-success'],
      covered,
    ]);
    expect(sums).toEqual([
      ['C0', 22, 10],
      ['C1', 31, 11],
      ['C2', 29, 10],
      ['C3', 24, 10],
      ['C4', 32, 11],
    ]);
  });

  test('historical and controlled tasks are reported apart', () => {
    const strata = figures().conditions.map(({ strata: list }) =>
      ['historical', 'controlled'].map((name) => list.find((one) => one.name === name)?.valid),
    );
    expect(strata).toEqual([
      [10, 12],
      [13, 18],
      [11, 18],
      [10, 14],
      [14, 18],
    ]);
  });

  test('the classes partition the 180 rollouts', () => {
    const { conditions, scheduled } = figures();
    expect(scheduled).toBe(180);
    for (const { condition, outcomes, incomplete } of conditions) {
      expect(outcomes).toEqual(capriOutcomes[condition as 'C0']);
      expect(incomplete).toBe(0);
    }
    const total = (name: 'valid-success' | 'safe-failure' | 'false-success') =>
      conditions.reduce((sum, { outcomes }) => sum + outcomes[name], 0);
    expect([total('valid-success'), total('safe-failure'), total('false-success')]).toEqual([
      138, 31, 6,
    ]);
  });

  test('false-success is counted over accepted candidates, not over rollouts', () => {
    const accepted = figures().conditions.map(({ falseSuccess: { hits, of } }) => [hits, of]);
    expect(accepted).toEqual([
      [0, 22],
      [3, 34],
      [0, 29],
      [0, 24],
      [3, 35],
    ]);
  });

  test.each([
    ['C1', 'C0', 6, 0, 6, '0.03125'],
    ['C4', 'C0', 6, 0, 6, '0.03125'],
    ['C2', 'C1', 0, 1, 11, '1'],
    ['C3', 'C0', 2, 0, 10, '0.5'],
    ['C4', 'C1', 1, 0, 11, '1'],
    ['C2', 'C0', 5, 0, 7, '0.0625'],
  ] as const)('%s against %s by task', (a, b, better, worse, ties, p) => {
    const declared = { a, b, unit: 'instance', side: 'two' } as const;
    const [found] = experimentFigures(capriPlan([declared]), capriRollouts()).comparisons;
    expect(found).toMatchObject({ better, worse, ties, p, n: better + worse, side: 'two' });
    const column = (name: string) => capriConditions.indexOf(name as 'C0');
    const pairs = capriTasks.map(
      ({ valid }) => [valid[column(a)] ?? 0, valid[column(b)] ?? 0] as const,
    );
    expect(tally(pairs)).toEqual({ better, worse, ties });
    expect(printFraction(signTest(better, worse, 'two'))).toBe(p);
  });
});

test('a table that does not fill its schedule is not printed', () => {
  const missing = capriRollouts().slice(1);
  expect(() => experimentFigures(capriPlan(), missing)).toThrow('179 rollouts in 179 cells');
  const twice = [...missing, ...missing.slice(0, 1)];
  expect(() => experimentFigures(capriPlan(), twice)).toThrow('180 rollouts in 179 cells');
});

test('an incomplete rollout is in no rate, and its pair in no comparison', () => {
  const rollouts = capriRollouts().map((one, at) =>
    at === 0 ? { ...one, outcome: null, attempts: [] } : one,
  );
  const declared = { a: 'C1', b: 'C0', unit: 'block', side: 'two' } as const;
  const result = experimentFigures(capriPlan([declared]), rollouts);
  expect(result.conditions[0]).toMatchObject({ incomplete: 1, valid: { of: 35 } });
  expect(result.comparisons[0]).toMatchObject({ incomplete: 1 });
});

test('tokens that a server did not count make the sum unknown, never zero', () => {
  const plan = {
    ...capriPlan(),
    instances: capriPlan().instances.slice(0, 1),
    conditions: ['C0'],
    replicates: 1,
  };
  const one = rolloutRecord({ instance: 'rule-renaming', outcome: 'safe-failure' });
  expect(experimentFigures(plan, [one]).conditions[0]).toMatchObject({ tokensIn: 0, requests: 0 });
  expect(reportCsv(experimentFigures(plan, [one]))).toContain('one,C0,1,0,0,1,0,0,0,0,1,0');
});

test('the reports for people and for plots hold every condition', () => {
  const all = figures();
  const markdown = reportMarkdown(all);
  const svg = reportSvg(all);
  expect(markdown).toContain('| one | C4 | 36 | 32 | 3 | 1 | 0 | 0 | 0 | 11 of 12 |');
  expect(markdown).toContain('Replicates of one instance are not independent');
  for (const condition of capriConditions) expect(svg).toContain(`one ${condition}</text>`);
  expect(reportCsv(all).trim().split('\n')).toHaveLength(6);
});
