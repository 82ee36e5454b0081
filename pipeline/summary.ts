import type { Instance } from '../schemas/instance.ts';
import type { Kept } from '../schemas/kept.ts';
import type { Rollout } from '../schemas/rollout.ts';
import type { Verdict } from '../schemas/verdict.ts';
import { digestOf } from '../stages/contract/canonical-json.ts';
import type { Exported } from './export-run.ts';
import type { OpenRun } from './open-run.ts';
import type { BatchEnd } from './run-batch.ts';
import { funnelOfRecords } from './run-verbs.ts';
import { outcomesOf } from './walk-verb.ts';

/**
 * What a run found, without anything that depends on the machine or the sandbox: two runs that found the same
 * have one `results_sha256`.
 */
export function summaryOf(run: OpenRun, ends: readonly BatchEnd[], exported: Exported) {
  const results = ends.map(({ record, state: { facts, rejection, fault } }) => ({
    record,
    rejection: rejection?.code ?? null,
    fault: fault?.code ?? null,
    ...found(facts.instance as Instance | undefined),
    outcomes: ((facts.rollouts as Rollout[] | undefined) ?? []).map(({ id, outcome }) => [
      id,
      outcome,
    ]),
    verdicts: ((facts.verdicts as Verdict[] | undefined) ?? []).map(({ id, verdict }) => [
      id,
      verdict,
    ]),
    repairs: ((facts.kept as Kept | undefined)?.repairs ?? []).map(({ id, disposition }) => [
      id,
      disposition,
    ]),
  }));
  const tasks = results.filter(({ record }) => exported.tasks.includes(record));
  return {
    run: run.config.run,
    verb: 'run',
    funnel: funnelOfRecords(ends.map(({ state }) => state)),
    outcomes: outcomesOf(ends.flatMap(({ state }) => (state.facts.rollouts as Rollout[]) ?? [])),
    tasks: tasks.map(({ record, levels }) => ({ record, levels })),
    results_sha256: digestOf(results),
  };
}

const found = (instance: Instance | undefined) => ({
  groups: instance?.groups.map(({ name, ids }) => [name, ids]) ?? [],
  matrix:
    instance?.matrix.map(({ name, cells }) => [name, cells.map(({ verdict }) => verdict)]) ?? [],
  levels: instance?.couplings.map(({ from, to, level }) => `${from}-${to}:${level}`) ?? [],
});
