import type { Kept } from '../../schemas/kept.ts';
import type { Task } from '../../schemas/task.ts';
import type { Candidate, Verdict } from '../../schemas/verdict.ts';
import { digestOf } from '../contract/canonical-json.ts';
import { isRight, isWrong } from './accept.ts';

type Mended = {
  readonly task: Task;
  readonly previous: Task;
  readonly verdict: Verdict;
  readonly candidates: readonly Candidate[];
};

/** What no later revision may lose: it only grows. */
export function remember(kept: Kept, tries: Kept['repairs'], mended: Mended): Kept {
  const { task, previous, verdict, candidates } = mended;
  const accepted = tries.at(-1);
  const wrong = candidates.filter((candidate) => isWrong(candidate) && candidate.set !== 'L');
  return {
    wrong: grow(kept.wrong, wrong),
    right: grow(kept.right, candidates.filter(isRight)),
    answered: [...kept.answered, verdict],
    repairs: [...kept.repairs, ...tries],
    lineage: [
      ...kept.lineage,
      {
        revision: task.revision,
        parent: digestOf(previous),
        content: digestOf(task),
        cause: `${verdict.verdict} ${verdict.kind}: ${verdict.detail}`,
        edited: accepted?.edits.map(({ path }) => path) ?? [],
        verdicts: [verdict.id],
      },
    ],
  };
}

type Remembered = Kept['wrong'];

function grow(before: Remembered, candidates: readonly Candidate[]): Remembered {
  const known = new Set(before.map(({ tree }) => tree));
  const fresh = candidates.filter(({ tree }) => !known.has(tree));
  return [...before, ...fresh.map(({ id, tree }) => ({ id, tree }))];
}
