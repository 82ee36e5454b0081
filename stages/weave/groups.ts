import type { TestGroup } from '../../schemas/instance.ts';
import type { Dependence } from './dependence.ts';

type Needs = Pick<Dependence, 'test' | 'byAssertion' | 'hard'>;

/** T_i for tests of one requirement, T_ij for tests that need several, P for what passes before and after. */
export function groupTests(
  dependences: readonly Needs[],
  regression: readonly string[],
): readonly TestGroup[] {
  const byRefs = new Map<string, string[]>();
  for (const dependence of dependences) {
    const refs = refsOf(dependence).join();
    byRefs.set(refs, [...(byRefs.get(refs) ?? []), dependence.test]);
  }
  const groups = [...byRefs].map(([refs, ids]): TestGroup => {
    const names = refs.split(',').filter((name) => name !== '');
    return {
      name: groupName(names),
      kind: names.length > 1 ? 'edge' : 'requirement',
      refs: names,
      ids: ids.toSorted(),
    };
  });
  const ordered = groups.toSorted(
    (left, right) => left.refs.length - right.refs.length || (left.name < right.name ? -1 : 1),
  );
  return [...ordered, { name: 'P', kind: 'regression', refs: [], ids: [...regression].toSorted() }];
}

/** What a test is about: its assertions if they say, else what it cannot run without. */
export const refsOf = ({ byAssertion, hard }: Omit<Needs, 'test'>): readonly string[] =>
  byAssertion.length > 0 ? byAssertion : hard;

export const groupName = (refs: readonly string[]): string =>
  `T_${refs.map((ref) => ref.replace(/^R/, '')).join('_')}`;
