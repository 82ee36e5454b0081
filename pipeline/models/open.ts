import { join } from 'node:path';
import type { Completion, Role } from '../../schemas/completion.ts';
import type { Price } from '../../schemas/price.ts';
import type { ModelConfig } from '../../schemas/run-config.ts';
import type { Clock, Model } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { models } from './registry.ts';
import { type Meter, withBudget } from './with-budget.ts';
import { openGate, type Patience, withRetry } from './with-retry.ts';

/** What the ledger must know of a call beside the call itself. */
type Called = {
  readonly provider: Completion['provider'];
  readonly price: Price | null;
};

/** How a record's ledger takes part: `memory` lies outermost, `calls` around each single call. */
export type Around = {
  memory(model: Model): Model;
  calls(model: Model, called: Called): Model;
};

export type ModelDeps = {
  readonly clock: Clock;
  readonly meter: Meter;
  /** The value of an environment variable, read by the one who may. */
  readonly env: (name: string) => string | null | undefined;
  /** Mailboxes lie below it. */
  readonly runFolder: string;
  /** Whether a mailbox waits for its answer. */
  readonly wait: boolean;
  /** Lines for people. */
  readonly tell: (line: string) => void;
  readonly patience?: Partial<Pick<Patience, 'tries' | 'firstWaitMs' | 'patienceMs'>>;
};

type OpenaiConfig = Extract<ModelConfig, { provider: 'openai' }>;

/** A model without its key fails when it is asked, not when the run starts: others can go on without it. */
function openaiOf(config: OpenaiConfig, { env, clock }: ModelDeps): Model {
  const { provider: _p, family: _f, price: _c, api_key_env: variable, ...options } = config;
  const apiKey = variable === null ? null : (env(variable) ?? null);
  if (variable === null || apiKey !== null) return models.openai({ ...options, apiKey, clock });
  const message = `Model "${config.name}" failed: the environment variable ${variable} that "api_key_env" names is not set. Set it, then run the same command again.`;
  return { complete: () => Promise.reject(new Fault(message, { code: 'model-unavailable' })) };
}

function providerOf(config: ModelConfig, deps: ModelDeps): Model {
  const { name } = config;
  const { clock, tell } = deps;
  switch (config.provider) {
    case 'openai':
      return openaiOf(config, deps);
    case 'mailbox':
      return models.mailbox({
        name,
        dir: join(deps.runFolder, config.dir),
        wait: deps.wait,
        clock,
        tell,
      });
    case 'recorded':
      return models.recorded({ name, folders: [config.pack] });
  }
}

/** A person's answer is a call once it is there; a request that only waits was not paid for and is not counted. */
function onceAnswered(model: Model, counted: (answered: Model) => Model): Model {
  return {
    async complete(request, signal) {
      const completion = await model.complete(request, signal);
      return await counted({ complete: async () => completion }).complete(request, signal);
    },
  };
}

/** One model with what all its callers share: what it learnt of its server, its gate, the budget. */
function opened(config: ModelConfig, deps: ModelDeps): (around: Around) => Model {
  const { name, provider } = config;
  const { clock, tell, meter } = deps;
  const limits = { tries: 4, firstWaitMs: 1000, patienceMs: 60_000, ...deps.patience };
  const patience: Patience = { name, clock, tell, ...limits };
  const gate = openGate(patience);
  const model = providerOf(config, deps);
  const price = config.price;
  return ({ memory, calls }) => {
    const counted = (inner: Model) =>
      withBudget(calls(inner, { provider, price }), {
        meter,
        price,
        isFree: provider === 'recorded',
      });
    if (provider === 'mailbox') return memory(onceAnswered(model, counted));
    return memory(withRetry(counted(model), gate, patience));
  };
}

const alone: Around = { memory: (model) => model, calls: (model) => model };

/**
 * The models of a run file by name, each opened once: memory over retry over budget over the counted call.
 * `around` brings in the ledger of the record that pays. Throws Error for a name that the run file does not have.
 */
export function openModels(
  configs: readonly ModelConfig[],
  deps: ModelDeps,
): (role: Role, entrant: string, around?: Around) => Model {
  const byName = new Map(configs.map((config) => [config.name, opened(config, deps)]));
  return (role, entrant, around = alone) => {
    const model = byName.get(entrant);
    if (model === undefined) throw new Error(`models: no model "${entrant}" for role ${role}`);
    return model(around);
  };
}
