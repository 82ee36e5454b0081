import type { Condition, Frozen } from '../../schemas/experiment.ts';
import type { Parse } from '../../schemas/syntax.ts';
import { digestOf } from '../../stages/contract/canonical-json.ts';
import { authoritySha } from '../../stages/contract/conforms.ts';
import { conditionOf } from '../../stages/controller/conditions.ts';
import { runControls } from '../../stages/controller/controls.ts';
import type { Builder } from '../../stages/controller/ports.ts';
import { promptSha } from '../../stages/prompts/render.ts';
import { randomFrom, shuffled } from '../../stages/weave/random.ts';
import { flagError } from '../config/usage-problem.ts';
import { contractProblem } from '../contracts/contract-problem.ts';
import type { Experiment } from './folder.ts';
import { type LoadedInstance, loadInstance } from './instance.ts';

type World = {
  readonly builder: Builder;
  readonly blobs: { put(bytes: Uint8Array): string; get(sha256: string): Uint8Array };
  readonly parse: Parse;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
};

/** The conditions of a plan; a name that is none is a mistake of the plan. */
function conditionsOf({ plan }: Experiment): Condition[] {
  return plan.conditions.map((given) => {
    const found = conditionOf(given);
    if (found !== null) return found;
    throw flagError(
      'conditions',
      'C0, C1, C2, C3, C4, S0, S1 or a condition written out',
      `"${String(given)}"`,
    );
  });
}

/** Every cell once, in an order that the seed decides; so that no condition is always asked first. */
function scheduleOf({ plan }: Experiment, conditions: readonly Condition[]): Frozen['schedule'] {
  const cells = plan.instances.flatMap(({ id }) =>
    plan.entrants.flatMap(({ name }) =>
      conditions.flatMap((condition) =>
        Array.from({ length: plan.replicates }, (_, replicate) => ({
          instance: id,
          entrant: name,
          condition: condition.name,
          replicate,
        })),
      ),
    ),
  );
  return [...shuffled(cells, randomFrom(plan.seed))];
}

type FrozenInstance = Frozen['instances'][number];

/** Admission: the base fails to build, and all three controls come out in their class. */
async function admit(
  loaded: LoadedInstance,
  { builder, blobs, parse, signal }: World,
): Promise<Pick<FrozenInstance, 'baseline' | 'controls'>> {
  const { id, contract, base, reference } = loaded;
  const built = await builder.build({ contract, tree: base }, signal);
  if (built.status === 'true')
    throw contractProblem(id, [
      { code: 'contract.baseline-passes', at: id, detail: 'the base builds as it is' },
    ]);
  const baseline =
    built.logNormalisedBlob === null
      ? ''
      : new TextDecoder().decode(blobs.get(built.logNormalisedBlob));
  const controls = await runControls(
    { contract, base, reference },
    { builder, ledger: blobs, parse, signal },
  );
  const wrong = controls.filter(({ expected, outcome }) => expected !== outcome);
  if (wrong.length === 0) return { baseline, controls };
  throw contractProblem(
    id,
    wrong.map(({ name, expected, outcome }) => ({
      code: 'contract.control-failed',
      at: id,
      detail: `${name}: expected ${expected}, got ${outcome}`,
    })),
  );
}

/** Everything that a run may not change, by digest, without what needs a build. */
async function fixedPart(experiment: Experiment, { blobs, parse }: Pick<World, 'blobs' | 'parse'>) {
  const conditions = conditionsOf(experiment);
  const loaded: LoadedInstance[] = [];
  for (const instance of experiment.plan.instances)
    loaded.push(await loadInstance(experiment.folder, instance, blobs, parse));
  const prompts = ['prove-edits', 'prove-body', 'shell-turn'] as const;
  const fixed = {
    frozen: 1 as const,
    experiment: experiment.plan.id,
    plan: experiment.planSha256,
    conditions,
    prompts: Object.fromEntries(prompts.map((name) => [name, promptSha(name)])),
    schedule: scheduleOf(experiment, conditions),
  };
  const instances = loaded.map(({ id, contract, base, referenceSha256 }) => ({
    id,
    contract: digestOf(contract),
    authority: authoritySha(contract),
    base,
    reference: referenceSha256,
  }));
  return { fixed, instances, loaded };
}

/** Hash all that must not change, run the controls, and say what was fixed. No model is asked. */
export async function freeze(experiment: Experiment, world: World): Promise<Frozen> {
  const { fixed, instances, loaded } = await fixedPart(experiment, world);
  const whole: FrozenInstance[] = [];
  for (const [at, one] of loaded.entries()) {
    world.tell(`freeze: ${one.id}, base and ${at + 1} of ${loaded.length}`);
    const named = instances[at];
    if (named !== undefined) whole.push({ ...named, ...(await admit(one, world)) });
  }
  return { ...fixed, instances: whole };
}

/**
 * The loaded instances of a frozen experiment, or a usage error that names the first thing that is no longer what was frozen.
 */
export async function assertFrozen(
  experiment: Experiment,
  frozen: Frozen,
  world: Pick<World, 'blobs' | 'parse'>,
): Promise<readonly LoadedInstance[]> {
  const { fixed, instances, loaded } = await fixedPart(experiment, world);
  const bare = frozen.instances.map(({ baseline: _, controls: __, ...rest }) => rest);
  const now: Readonly<Record<string, unknown>> = { ...fixed, instances };
  const then: Readonly<Record<string, unknown>> = { ...frozen, instances: bare };
  const changed = Object.keys(now).find((key) => digestOf(now[key]) !== digestOf(then[key]));
  if (changed === undefined) return loaded;
  throw flagError(
    'DIR',
    'the experiment as it was frozen',
    `another "${changed}"; put it back, or freeze a new experiment`,
  );
}
