import { describe, expect, test } from 'vitest';
import type { TestStatus } from '../../../schemas/test-report.ts';
import { dependenceOf, type Row } from '../../../stages/weave/dependence.ts';
import { subsetsOf } from '../../../stages/weave/subset-lattice.ts';

/** Rows of the lattice from statuses by members, `R1,R2`; a subset that is not named did not compose. */
const rows = (ids: readonly string[], statuses: Readonly<Record<string, TestStatus>>): Row[] =>
  subsetsOf(ids, []).map(({ name, members }) => {
    const status = statuses[members.join()];
    return { name, members, statusOf: status === undefined ? null : () => status };
  });
const two = ['R1', 'R2'];
const of = (lattice: readonly Row[]) => {
  const { byAssertion, hard } = dependenceOf('t', lattice, []);
  return { byAssertion, hard };
};

describe('what a test depends on', () => {
  test.each<[string, Record<string, TestStatus>, string[], string[]]>([
    ['one part', { '': 'failed', R1: 'passed', R2: 'failed', 'R1,R2': 'passed' }, ['R1'], []],
    ['both parts', { '': 'failed', R1: 'failed', R2: 'failed', 'R1,R2': 'passed' }, two, []],
    [
      'either part, so none',
      { '': 'failed', R1: 'passed', R2: 'passed', 'R1,R2': 'passed' },
      [],
      [],
    ],
    [
      'a part that it cannot run without',
      { '': 'error', R1: 'failed', R2: 'error', 'R1,R2': 'passed' },
      ['R2'],
      ['R1'],
    ],
    [
      'both, and runs with neither',
      { '': 'error', R1: 'absent', R2: 'error', 'R1,R2': 'passed' },
      [],
      two,
    ],
    [
      'one, where the other does not come out',
      { '': 'failed', R1: 'passed', 'R1,R2': 'passed' },
      ['R1'],
      [],
    ],
    ['nothing that is known', { '': 'failed', 'R1,R2': 'passed' }, [], []],
    [
      'a skipped test asserts nothing',
      { '': 'skipped', R1: 'skipped', R2: 'skipped', 'R1,R2': 'passed' },
      [],
      two,
    ],
  ])('%s', (_, statuses, byAssertion, hard) => {
    expect(of(rows(two, statuses))).toEqual({ byAssertion, hard });
  });

  test('of three parts, the two that it needs', () => {
    const lattice = subsetsOf(['R1', 'R2', 'R3'], []).map(({ name, members }) => ({
      name,
      members,
      statusOf: () =>
        ['R1', 'R3'].every((id) => members.includes(id))
          ? ('passed' as const)
          : ('failed' as const),
    }));
    expect(of(lattice)).toEqual({ byAssertion: ['R1', 'R3'], hard: [] });
  });
});

test('a mutant of a part is evidence where the part does not come out', () => {
  const lattice = rows(two, { '': 'failed', R1: 'failed', 'R1,R2': 'passed' });
  const kill = { mutant: 'm4', requirements: ['R1'], killed: ['t'] };
  expect(dependenceOf('t', lattice, [kill, { ...kill, killed: ['other'] }])).toEqual({
    test: 't',
    byAssertion: two,
    hard: [],
    shown: [
      { requirement: 'R2', beside: ['R1'] },
      { requirement: 'R1', beside: two },
    ],
    evidence: ['ablation:G passes, G|{R1} fails', 'mutation:m4'],
  });
});
