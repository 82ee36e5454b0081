import type { AdmissionRun, Disturbance, Flake } from '../../schemas/flake.ts';
import { settleAll } from '../settle/settle-all.ts';
import { type Bench, type Observation, observe } from '../validate/observe.ts';
import { diagnosticRuns, flakesOf, unstableIds } from './find-flakes.ts';
import { disturbanceOf } from './schedule.ts';

/** Gold, run again and again. `runs`: the first is undisturbed. `mute`: disturbed runs that told of no test and have no vote. */
export type Repeated = {
  readonly runs: readonly Observation[];
  readonly mute: readonly Observation[];
  readonly flakes: readonly Flake[];
};

/**
 * Fresh runs of gold under another order and another clock. A suite that cannot even start when it is disturbed says nothing of its
 * tests and is run again as it is. Where a verdict changes some more runs ask why, and whatever they turn
 * up changes its verdict too. A suite that never changes pays for none of them. Source: grading.md 6.
 */
export async function repeatGold(
  bench: Bench,
  tree: string,
  files: readonly string[],
): Promise<Repeated> {
  const { repeats, seed } = bench.context.settings;
  const run = (disturbance: Disturbance | null, repeat: number) =>
    observe(bench, tree, { files, repeat, disturbance });
  const plan = Array.from({ length: repeats }, (_, at) => disturbanceOf(at, repeats, seed));
  const first = await settleAll([...plan.entries()], ([at, disturbance]) => run(disturbance, at));
  const isMute = ({ disturbance, ids }: Observation) =>
    disturbance !== null && ids.length === 0 && first[0]?.ids.length !== 0;
  const runs = await settleAll(first, async (one, at) => (isMute(one) ? run(null, at) : one));
  const more = unstableIds(runs).length === 0 ? [] : diagnosticRuns(runs);
  const asked = await settleAll(more, (disturbance, at) => run(disturbance, repeats + at));
  const all = [...runs, ...asked];
  return { runs: all, flakes: flakesOf(all), mute: first.filter(isMute) };
}

/** Gold's runs as an instance keeps them. */
export const admissionOf = ({ runs, mute }: Repeated): AdmissionRun[] =>
  [...runs, ...mute].map(({ key, disturbance, disturbed }) => ({
    run: key,
    disturbance,
    disturbed,
  }));
