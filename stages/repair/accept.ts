import type { Instance } from '../../schemas/instance.ts';
import type { Repair } from '../../schemas/kept.ts';
import type { Task } from '../../schemas/task.ts';
import type { Candidate, Verdict } from '../../schemas/verdict.ts';
import { settleAll } from '../settle/settle-all.ts';
import { allFiles, type Bench, type Observation, observe } from '../validate/observe.ts';

type Rule = Repair['acceptance'][number];

export type Revision = {
  readonly bench: Bench;
  readonly revised: Task;
  readonly instance: Instance;
  readonly candidates: readonly Candidate[];
  readonly verdict: Verdict;
};

/** Every rule of acceptance, each run afresh on the revised tests; the mend stands when none fails. */
export async function acceptance(revision: Revision): Promise<readonly Rule[]> {
  const { candidates, instance } = revision;
  const wrong = candidates.filter(isWrong);
  const right = candidates.filter(isRight);
  return [
    await rule('gold passes', [{ id: 'gold', tree: instance.goldTree }], 'passes', revision),
    await rule('base fails', [{ id: 'base', tree: revision.revised.base.tree }], 'fails', revision),
    await rule(
      'every candidate proved wrong still fails',
      wrong.filter(({ passesTests }) => !passesTests),
      'fails',
      revision,
    ),
    await rule(
      'every candidate proved right still passes',
      right.filter(({ passesTests }) => passesTests),
      'passes',
      revision,
    ),
    await witnessAnswered(revision),
  ];
}

export const isWrong = ({ claim, basis, failingProbes }: Candidate): boolean =>
  failingProbes.length > 0 || (claim === 'wrong' && basis !== 'none');
export const isRight = ({ claim, failingProbes, set }: Candidate): boolean =>
  set === 'A' && claim === 'valid' && failingProbes.length === 0;

/** A false positive's witness must fail now, a false negative's must pass the test that refused it. */
async function witnessAnswered(revision: Revision): Promise<Rule> {
  const { verdict, candidates } = revision;
  const name = 'the witness is answered';
  if (!('witness' in verdict)) return { rule: name, result: 'absent', detail: 'no witness' };
  const { candidate, tree } = verdict.witness;
  const asked = { id: candidate, tree };
  if (verdict.verdict === 'false-positive') return rule(name, [asked], 'fails', revision);
  const excused = candidates.find(({ id }) => id === candidate)?.failing ?? [];
  const others = excused.filter((test) => test !== verdict.target.test);
  return rule(name, [asked], 'passes', revision, others);
}

type Asked = { readonly id: string; readonly tree: string };

async function rule(
  name: string,
  asked: readonly Asked[],
  wanted: 'passes' | 'fails',
  revision: Revision,
  excused: readonly string[] = [],
): Promise<Rule> {
  const { bench, revised, instance } = revision;
  const runs = await settleAll(asked, ({ tree }) =>
    observe({ ...bench, task: revised }, tree, { files: allFiles(revised) }),
  );
  const ids = instance.groups.flatMap((group) => group.ids).filter((id) => !excused.includes(id));
  const passes = (run: Observation | undefined) =>
    run !== undefined && ids.every((id) => run.statusOf(id) === 'passed');
  const off = asked.filter((_, index) => passes(runs[index]) !== (wanted === 'passes'));
  if (off.length > 0) {
    const detail = `${off.map(({ id }) => id).join(', ')} ${wanted === 'passes' ? 'fails' : 'passes'}`;
    return { rule: name, result: 'fail', detail };
  }
  return { rule: name, result: 'pass', detail: `${asked.length} run(s)` };
}
