import { expect, test } from 'vitest';
import { groupName, groupTests } from '../../../stages/weave/groups.ts';

const dependence = (test: string, byAssertion: string[], hard: string[] = []) => ({
  test,
  byAssertion,
  hard,
  evidence: [],
});

test('tests are grouped by what they need, single requirements first, regression last', () => {
  const dependences = [
    dependence('b', ['R1', 'R2']),
    dependence('d', ['R1']),
    dependence('c', ['R2'], ['R1']),
    dependence('a', ['R1']),
    dependence('e', [], ['R2']),
  ];
  expect(groupTests(dependences, ['z', 'y'])).toEqual([
    { name: 'T_1', kind: 'requirement', refs: ['R1'], ids: ['a', 'd'] },
    { name: 'T_2', kind: 'requirement', refs: ['R2'], ids: ['c', 'e'] },
    { name: 'T_1_2', kind: 'edge', refs: ['R1', 'R2'], ids: ['b'] },
    { name: 'P', kind: 'regression', refs: [], ids: ['y', 'z'] },
  ]);
});

test('every id is in one group, also where nothing is left but regression', () => {
  expect(groupTests([], [])).toEqual([{ name: 'P', kind: 'regression', refs: [], ids: [] }]);
  expect(groupName(['R1', 'R3'])).toBe('T_1_3');
});
