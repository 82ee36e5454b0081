import type { Instance } from '../../schemas/instance.ts';
import type { Witness } from '../../schemas/verdict.ts';

type Expected = Witness['expected'][number];

/**
 * What level 4 rests on, so that it can be executed again: each solo solution passes the tests of its requirement alone, their merge
 * fails the joint tests, and gold passes these. One witness for each merge that fails; `run` is the name of the run folder.
 */
export function soloWitnesses(instance: Instance, run: string): readonly Witness[] {
  const { task, revision, groups, goldTree } = instance;
  const own = (requirement: string) =>
    groups.find(({ refs }) => refs.join() === requirement)?.ids ?? [];
  return instance.soloMerges.flatMap((merge, index) => {
    const { requirements, solos, tree, run: key, failing } = merge;
    if (tree === null || key === null || failing.length === 0) return [];
    const expect =
      (on: string, result: Expected['result']) =>
      (test: string): Expected => ({ test, tree: on, run: key, result });
    const candidate = `n${index + 1}:${requirements.join('+')}`;
    const id = `w-${task}-${revision}-solo-${index + 1}`;
    const expected = [
      ...solos.flatMap((solo) => own(solo.requirement).map(expect(solo.tree, 'passed'))),
      ...failing.map(expect(tree, 'not-passed')),
      ...failing.map(expect(goldTree, 'passed')),
    ];
    const replayCommand = `pipeline review --run ${run} --witness ${id}`;
    return [{ id, type: 'candidate' as const, candidate, tree, expected, replayCommand }];
  });
}
