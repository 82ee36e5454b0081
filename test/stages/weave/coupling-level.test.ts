import { describe, expect, test } from 'vitest';
import type { MatrixRow } from '../../../schemas/instance.ts';
import type { TestStatus } from '../../../schemas/test-report.ts';
import { cellVerdict, isCoupled, proveCouplings } from '../../../stages/weave/coupling-level.ts';
import { dependenceOf, type Kill } from '../../../stages/weave/dependence.ts';
import { groupTests } from '../../../stages/weave/groups.ts';
import { subsetsOf } from '../../../stages/weave/subset-lattice.ts';

/** A test by what it says on a subset of the parts. */
type Tests = Readonly<Record<string, (members: readonly string[]) => TestStatus>>;
type Story = {
  readonly k?: 2 | 3;
  readonly tests: Tests;
  readonly conflicts?: readonly string[];
  readonly kills?: readonly Kill[];
  readonly soloMerges?: readonly { requirements: string[]; failing: string[] }[];
};

const needs =
  (...ids: string[]) =>
  (otherwise: TestStatus = 'failed') =>
  (members: readonly string[]): TestStatus =>
    ids.every((id) => members.includes(id)) ? 'passed' : otherwise;

/** Levels by pair, as the whole room proves them from a lattice. */
function prove({ k = 2, tests, conflicts = [], kills = [], soloMerges = [] }: Story) {
  const ids = ['R1', 'R2', 'R3'].slice(0, k);
  const rows = subsetsOf(ids, []).map(({ name, members }) => {
    const composes = !conflicts.includes(name);
    return {
      name,
      members,
      statusOf: composes ? (id: string) => tests[id]?.(members) ?? 'absent' : null,
    };
  });
  const dependences = Object.keys(tests).map((id) => dependenceOf(id, rows, kills));
  const matrix = rows.map(
    ({ name, members, statusOf }): MatrixRow => ({
      name,
      subset: [...members],
      tree: statusOf === null ? null : name,
      run: null,
      cells: groupTests(dependences, []).map(({ name: group, ids: own }) => ({
        group,
        verdict: statusOf === null ? 'conflict' : cellVerdict(own.map(statusOf)),
        passed: 0,
        total: own.length,
      })),
    }),
  );
  return proveCouplings([], { ids, matrix, dependences, soloMerges });
}

const own = { one: needs('R1')(), two: needs('R2')() };
const joint = { ...own, both: needs('R1', 'R2')() };

describe('two requirements', () => {
  test('are not joined by a test that one of them satisfies and only a mutant of the other kills', () => {
    const tests = { ...own, both: needs('R1')() };
    const [conflicts, kill] = [
      ['G|{R2}'],
      { mutant: 'm1', requirements: ['R2'], killed: ['both'] },
    ];
    expect(prove({ tests, conflicts, kills: [kill] })).toMatchObject([{ level: 1 }]);
    const kills = [kill, { ...kill, mutant: 'm2', requirements: ['R1'] }];
    expect(prove({ tests, conflicts, kills })).toMatchObject([{ level: 3, tests: ['both'] }]);
  });

  test('are independent when each test needs one', () => {
    expect(prove({ tests: own })).toEqual([]);
  });

  test('are textual when one does not come out of gold without a conflict', () => {
    expect(prove({ tests: own, conflicts: ['G|{R2}'] })).toMatchObject([
      { level: 1, evidence: ['merge-conflict'], detail: 'gold without R1 does not merge' },
    ]);
  });

  test.each<[string, Tests, string, string[], string[]]>([
    [
      'the second fails without the first',
      { one: own.one, two: needs('R1', 'R2')() },
      'R2 needs R1 (soft)',
      ['ablation'],
      ['two'],
    ],
    [
      'the first fails without the second',
      { one: needs('R1', 'R2')(), two: own.two },
      'R1 needs R2 (soft)',
      ['ablation'],
      ['one'],
    ],
    [
      'each fails without the other',
      { one: needs('R1', 'R2')(), two: needs('R1', 'R2')() },
      'R1 and R2 need each other (soft)',
      ['ablation'],
      ['one', 'two'],
    ],
    [
      'the second cannot run without the first',
      { one: own.one, two: (on) => (on.includes('R1') ? needs('R2')()(on) : 'error') },
      'R2 needs R1 (hard)',
      ['blocked'],
      ['two'],
    ],
    [
      'the first cannot run without the second',
      { one: (on) => (on.includes('R2') ? needs('R1')()(on) : 'error'), two: own.two },
      'R1 needs R2 (hard)',
      ['blocked'],
      ['one'],
    ],
  ])('are dependent when %s', (_, tests, detail, evidence, carrying) => {
    expect(prove({ tests })).toMatchObject([{ level: 2, detail, evidence, tests: carrying }]);
  });

  test('are joint by ablation', () => {
    expect(prove({ tests: joint })).toMatchObject([
      { level: 3, evidence: ['ablation'], tests: ['both'] },
    ]);
  });

  test('are joint by mutants of each part inside gold, where neither part comes out', () => {
    const kills = [
      { mutant: 'm1', requirements: ['R1'], killed: ['both', 'one'] },
      { mutant: 'm2', requirements: ['R2'], killed: ['both', 'two'] },
    ];
    const story = { tests: joint, conflicts: ['G|{R1}', 'G|{R2}'], kills };
    expect(prove(story)).toMatchObject([{ level: 3, evidence: ['mutation'], tests: ['both'] }]);
    expect(prove({ ...story, kills: kills.slice(0, 1) })).toMatchObject([{ level: 1 }]);
  });

  test('are not joint when the test that needs both cannot run without one of them', () => {
    const both = (on: readonly string[]) => (on.includes('R1') ? needs('R2')()(on) : 'error');
    expect(prove({ tests: { ...own, both } })).toMatchObject([
      { level: 2, detail: 'R2 needs R1 (hard)' },
    ]);
  });

  test('are not joint through a test that either of them satisfies', () => {
    const either = (on: readonly string[]) => (on.length > 0 ? 'passed' : 'failed');
    expect(prove({ tests: { ...own, either } })).toEqual([]);
  });

  test('are interacting when merged solos fail the joint test', () => {
    const soloMerges = [{ requirements: ['R1', 'R2'], failing: ['both'] }];
    expect(prove({ tests: joint, soloMerges })).toMatchObject([
      { level: 4, evidence: ['ablation', 'solo-merge'], tests: ['both'] },
    ]);
  });

  test.each([
    ['a test that is not joint', [{ requirements: ['R1', 'R2'], failing: ['one'] }]],
    ['nothing', [{ requirements: ['R1', 'R2'], failing: [] }]],
  ])('are not interacting when merged solos fail %s', (_, soloMerges) => {
    expect(prove({ tests: joint, soloMerges })).toMatchObject([{ level: 3 }]);
  });

  test('are not interacting where no joint test is proved', () => {
    const soloMerges = [{ requirements: ['R1', 'R2'], failing: ['both'] }];
    expect(prove({ tests: own, soloMerges })).toEqual([]);
  });
});

describe('three requirements', () => {
  const three = { ...own, three: needs('R3')() };

  test('each pair has its own level', () => {
    const tests = { ...three, both: needs('R1', 'R2')(), after: needs('R2', 'R3')('error') };
    expect(prove({ k: 3, tests }).map(({ from, to, level }) => `${from}-${to}:${level}`)).toEqual([
      'R1-R2:3',
    ]);
  });

  test('a test of all three joins every pair', () => {
    const tests = { ...three, all: needs('R1', 'R2', 'R3')() };
    expect(prove({ k: 3, tests }).map(({ level }) => level)).toEqual([3, 3, 3]);
  });

  test('where one does not come out, a smaller pair of subsets still tells', () => {
    const tests = { ...three, both: needs('R1', 'R2')() };
    const levels = prove({ k: 3, tests, conflicts: ['G|{R2,R3}', 'G|{R1,R3}'] });
    expect(levels).toMatchObject([{ from: 'R1', to: 'R2', level: 3 }, { level: 1 }, { level: 1 }]);
  });
});

test('a declared edge keeps its words and is listed at level 0 too', () => {
  const declared = { from: 'R2', to: 'R1', kind: 'overrides' as const, text: 'last wins' };
  const proof = { ids: ['R1', 'R2'], matrix: [], dependences: [], soloMerges: [] };
  expect(proveCouplings([declared], proof)).toEqual([
    { ...declared, level: 0, evidence: ['none'], tests: [], detail: 'independent' },
  ]);
});

describe('a task is coupled', () => {
  const edge = (from: string, to: string, level: number) => ({
    from,
    to,
    level,
    kind: 'constrains' as const,
    text: '',
    evidence: [],
    tests: [],
    detail: '',
  });
  test.each([
    ['when one edge reaches the bar', [edge('R1', 'R2', 3), edge('R2', 'R3', 2)], 3, true],
    ['not below the bar', [edge('R1', 'R2', 3), edge('R2', 'R3', 2)], 4, false],
    [
      'not when a requirement hangs by text alone',
      [edge('R1', 'R2', 4), edge('R2', 'R3', 1)],
      3,
      false,
    ],
    ['not when a requirement stands alone', [edge('R1', 'R2', 4)], 3, false],
    ['not without edges', [], 2, false],
  ])('%s', (_, edges, bar, wanted) => {
    expect(isCoupled(['R1', 'R2', 'R3'], edges, bar)).toBe(wanted);
  });
});

test.each([
  [['passed', 'passed'], 'pass'],
  [['passed', 'failed'], 'fail'],
  [['error', 'failed'], 'fail'],
  [['error', 'passed'], 'blocked'],
  [['absent'], 'blocked'],
  [['skipped'], 'blocked'],
  [[], 'pass'],
])('a cell of %j is %s', (statuses, verdict) => {
  expect(cellVerdict(statuses)).toBe(verdict);
});
