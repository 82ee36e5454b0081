import type { Instance } from '../../schemas/instance.ts';
import type { Kept } from '../../schemas/kept.ts';
import type { Rollout } from '../../schemas/rollout.ts';
import type { Task } from '../../schemas/task.ts';
import type { Candidate } from '../../schemas/verdict.ts';

/** A candidate before it was run. */
export type Gathered = Pick<Candidate, 'id' | 'set' | 'family' | 'tree' | 'claim' | 'basis'>;

type Facts = {
  readonly task: Task;
  readonly instance: Instance;
  readonly rollouts: readonly Rollout[];
  readonly kept: Kept;
};

/** Every tree that review judges, each once; the first claim made of a tree stays. */
export function gatherCandidates(facts: Facts): readonly Gathered[] {
  const all = [
    ...keptOf(facts),
    ...variantsOf(facts),
    ...solversOf(facts),
    ...ablationsOf(facts),
    ...mutantsOf(facts),
    ...mergesOf(facts),
  ];
  const seen = new Set([facts.instance.goldTree]);
  return all.filter(({ tree }) => (seen.has(tree) ? false : seen.add(tree)));
}

const keptOf = ({ kept }: Facts): Gathered[] => [
  ...kept.wrong.map(({ id, tree }) => candidate(id, 'A', 'kept', tree, 'wrong', 'probe')),
  ...kept.right.map(({ id, tree }) => candidate(id, 'A', 'kept', tree, 'valid', 'probe')),
];

const variantsOf = ({ task }: Facts): Gathered[] =>
  task.variants.map(({ id, claim, tree, by }) => candidate(id, 'A', by, tree, claim, 'none'));

const solversOf = ({ rollouts }: Facts): Gathered[] =>
  rollouts.flatMap(({ id, family, attempts }) =>
    attempts.flatMap(({ candidate: tree, report }) =>
      tree === null || report?.conforms !== true
        ? []
        : [candidate(id, 'P', family, tree, 'unknown', 'none')],
    ),
  );

/** Gold without some requirement is wrong by construction. */
const ablationsOf = ({ instance }: Facts): Gathered[] =>
  instance.matrix.flatMap(({ name, tree }) =>
    tree === null ? [] : [candidate(name, 'L', 'ablation', tree, 'wrong', 'construction')],
  );

const mutantsOf = ({ instance }: Facts): Gathered[] =>
  instance.mutants
    .filter(({ verdict }) => verdict === 'killed' || verdict === 'survived')
    .map(({ id, operator, tree }) => candidate(id, 'M', operator, tree, 'unknown', 'none'));

const mergesOf = ({ instance }: Facts): Gathered[] =>
  instance.soloMerges.flatMap(({ requirements, solos, tree }, index) =>
    tree === null
      ? []
      : [
          candidate(
            `n${index + 1}:${requirements.join('+')}`,
            'N',
            solos.map(({ entrant }) => entrant).join('+'),
            tree,
            'unknown',
            'none',
          ),
        ],
  );

const candidate = (
  id: string,
  set: Gathered['set'],
  family: string,
  tree: string,
  claim: Gathered['claim'],
  basis: Gathered['basis'],
): Gathered => ({ id, set, family, tree, claim, basis });
