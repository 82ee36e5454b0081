import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunConfig } from '../schemas/run-config.ts';
import type { Clock, Context, Patches, Repo, Sandbox, TestRuns } from '../stages/context.ts';
import { variable } from './env.ts';
import { guessUsd, type Money, moneyOf } from './ledger/money.ts';
import { type OpenLedger, openLedger } from './ledger/open.ts';
import { withLedgerCalls, withLedgerModel } from './ledger/with-ledger-model.ts';
import { originOf, withLedgerRuns } from './ledger/with-ledger-runs.ts';
import { openModels } from './models/open.ts';
import { openMeter } from './models/with-budget.ts';
import { openParse } from './parsing/tree-sitter.ts';
import { pricesOf } from './prices.ts';
import { openPatches } from './repos/patches.ts';
import { runSettings } from './run-settings.ts';
import { openTestRuns } from './runs/open.ts';
import { sandboxHost } from './sandbox-host.ts';
import { chooseSandbox } from './sandboxes/choose.ts';
import { withSlots } from './with-slots.ts';

/** The world outside one run: where it lies, who watches it, when to stop. */
export type Place = {
  readonly out: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
  /** Whether a mailbox waits for its answers. */
  readonly wait: boolean;
};

/** One run, open for writing. Close it on every path: only then is its folder sealed. */
export type OpenRun = {
  readonly config: RunConfig;
  readonly folder: string;
  readonly cache: string;
  readonly ledger: OpenLedger;
  readonly patches: Patches;
  /** Repositories by source name; filled by whoever opens a source. */
  readonly repos: Map<string, Repo>;
  readonly contextFor: (record: string | null) => Context;
  readonly money: () => Money;
  /** A run that the ledger neither answers nor keeps. */
  readonly freshRuns: TestRuns['run'];
  close(): void;
};

export const runFolder = (out: string, run: string): string => resolve(out, run);

/** Open a run's ledger and everything its stages may touch. Faults leave nothing open. */
export async function openRun(config: RunConfig, place: Place): Promise<OpenRun> {
  const folder = runFolder(place.out, config.run);
  const cache = resolve(place.out, '.cache');
  const ledger = openLedger({ folder, mode: 'write', clock: place.clock });
  try {
    mkdirSync(cache, { recursive: true });
    return await furnish(config, place, { folder, cache, ledger });
  } catch (error) {
    ledger.close();
    throw error;
  }
}

type Base = Pick<OpenRun, 'folder' | 'cache' | 'ledger'>;

async function furnish(config: RunConfig, place: Place, base: Base): Promise<OpenRun> {
  const { cache, ledger } = base;
  const { clock, signal } = place;
  const scratch = join(cache, 'scratch', config.run);
  const patches = await openPatches({ ledger, scratch, signal });
  const parse = await openParse();
  const repos = new Map<string, Repo>();
  const bare = lazyRuns(config, base, place);
  const runs = withLedgerRuns(bare, { ledger, record: null });
  const modelFor = modelsOf(config, base, place);
  const settings = runSettings(config);
  return {
    ...base,
    config,
    patches,
    repos,
    freshRuns: freshRuns(bare, ledger),
    money: () => moneyOf(ledger.events(), pricesOf(config)),
    contextFor: (record) => ({
      settings,
      signal,
      clock,
      patches,
      parse,
      ledger,
      runs,
      repo: (name) => openedRepo(repos, name),
      model: (role, entrant) => modelFor(role, entrant, record),
    }),
    close: () => ledger.close(),
  };
}

function openedRepo(repos: ReadonlyMap<string, Repo>, name: string): Repo {
  const repo = repos.get(name);
  if (repo === undefined) throw new Error(`source "${name}" was not opened for this verb`);
  return repo;
}

/** A sandbox is looked for when the first test is to run, so that verbs without tests need none. */
function lazyRuns(config: RunConfig, { cache, ledger }: Base, { clock }: Place): TestRuns {
  let opened: Promise<TestRuns> | undefined;
  const open = async (): Promise<TestRuns> => {
    const options = { run: config.run, cache, host: sandboxHost(config) };
    const sandbox: Sandbox = await chooseSandbox(config.sandbox, options);
    return withSlots(openTestRuns({ sandbox, ledger, clock }), config.concurrency);
  };
  const inner = () => {
    opened ??= open();
    return opened;
  };
  return {
    prepare: async (...args) => (await inner()).prepare(...args),
    run: async (...args) => (await inner()).run(...args),
  };
}

/** The environment of an earlier process is made ready here first; its digest says that it is the same. */
function freshRuns(runs: TestRuns, ledger: OpenLedger): TestRuns['run'] {
  return async (request, signal) => {
    const origin = originOf(ledger, request.environment);
    const prepared = await runs.prepare(
      request.environment.spec,
      origin?.tree ?? request.tree,
      signal,
    );
    const environment = prepared.ready ? prepared.environment : request.environment;
    return runs.run({ ...request, environment }, signal);
  };
}

function modelsOf(config: RunConfig, { folder, ledger }: Base, place: Place) {
  const { clock, tell, wait } = place;
  const { total } = moneyOf(ledger.events(), pricesOf(config));
  const spent = { usd: total.estimateUsd, calls: total.calls };
  const meter = openMeter({ caps: config.budget, clock, spent, guess: guessUsd });
  const open = openModels(config.models, {
    clock,
    meter,
    env: variable,
    runFolder: folder,
    wait,
    tell,
  });
  return (...[role, entrant, record]: [...Parameters<Context['model']>, string | null]) =>
    open(role, entrant, {
      memory: (model) => withLedgerModel(model, { ledger, mode: 'write' }),
      calls: (model, { provider, price }) =>
        withLedgerCalls(model, { ledger, record, provider, price }),
    });
}
