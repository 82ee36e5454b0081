import { levelNumbers, type RunConfig } from '../schemas/run-config.ts';
import type { Entrant, RunSettings } from '../schemas/run-settings.ts';

/** What the stages may know of a run: names and numbers, no address and no key. */
export function runSettings(config: RunConfig): RunSettings {
  const { roles, synthesize, solve, review } = config;
  const entrant = entrantsOf(config);
  return {
    run: config.run,
    seed: synthesize.seed,
    level: levelNumbers[synthesize.level],
    repeats: synthesize.repeats,
    mutantsPerPart: synthesize.mutants_per_part,
    mutantOperators: synthesize.mutant_operators,
    drafter: roles.drafter === null ? null : entrant(roles.drafter),
    solvers: roles.solvers.map(entrant),
    soloSolvers: synthesize.solo_solvers.map(entrant),
    reviewer: roles.reviewer === null ? null : entrant(roles.reviewer),
    repairer: roles.repairer === null ? null : entrant(roles.repairer),
    condition: solve.condition,
    replicates: solve.replicates,
    rounds: review.rounds,
  };
}

/** The config was checked: every name that a role uses is a model's. */
function entrantsOf({ models }: RunConfig): (name: string) => Entrant {
  return (name) => {
    const model = models.find((candidate) => candidate.name === name);
    if (model === undefined) throw new Error(`no model is called "${name}"`);
    return { name, family: model.family, provider: model.provider };
  };
}
