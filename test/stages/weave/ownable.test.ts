import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownable, proveCouplings } from '../../../stages/weave/coupling-level.ts';
import { dependenceOf } from '../../../stages/weave/dependence.ts';
import { subsetsOf } from '../../../stages/weave/subset-lattice.ts';

const ids = ['R1', 'R2'];
const rows = subsetsOf(ids, []);
const tests = ['a', 'b', 'c', 'd'];
const statuses = fc.constantFrom('passed' as const, 'passed' as const, 'failed' as const);

/** What each test says on each tree, null for a tree that does not compose; and any mutants. */
const histories = fc.record({
  table: fc.array(
    fc.option(fc.array(statuses, { minLength: tests.length, maxLength: tests.length })),
    { minLength: rows.length, maxLength: rows.length },
  ),
  kills: fc.array(
    fc.record({
      mutant: fc.string(),
      requirements: fc.constantFrom(['R1'], ['R2']),
      killed: fc.subarray(tests),
    }),
    { maxLength: 6 },
  ),
});

test('whatever mutants show, the ends of a joint edge were ownable by the lattice alone', () => {
  let seenJoint = 0;
  fc.assert(
    fc.property(histories, ({ table, kills }) => {
      const seen = rows.map(({ name, members }, at) => {
        const line = table[at];
        const statusOf = line
          ? (id: string) => line[tests.indexOf(id)] ?? ('absent' as const)
          : null;
        return { name, members, statusOf };
      });
      const dependences = tests.map((id) => dependenceOf(id, seen, kills));
      const before = ownable(
        ids,
        tests.map((id) => dependenceOf(id, seen, [])),
      );
      const joint = proveCouplings([], { ids, matrix: [], dependences, soloMerges: [] }).filter(
        ({ level }) => level >= 3,
      );
      seenJoint += joint.length;
      for (const { from, to } of joint) expect(before).toEqual(expect.arrayContaining([from, to]));
    }),
    { numRuns: 500, seed: 4 },
  );
  expect(seenJoint).toBeGreaterThan(20);
});

test('a requirement that every test needs together with another one is not ownable', () => {
  const needing = (one: string[]) =>
    subsetsOf(['R1', 'R2'], []).map(({ name, members }) => ({
      name,
      members,
      statusOf: () =>
        one.every((id) => members.includes(id)) ? ('passed' as const) : ('failed' as const),
    }));
  const both = dependenceOf('both', needing(['R1', 'R2']), []);
  const first = dependenceOf('first', needing(['R1']), []);
  expect(ownable(['R1', 'R2'], [both])).toEqual([]);
  expect(ownable(['R1', 'R2'], [both, first])).toEqual(['R1']);
});
