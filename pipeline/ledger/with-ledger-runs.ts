import type { Environment, EnvironmentSpec } from '../../schemas/environment.ts';
import type { TestRunRequest, TestRunResult } from '../../schemas/test-run.ts';
import type { Control, RunOptions, TestRuns } from '../../stages/context.ts';
import { canonicalJson, digestOf } from '../../stages/contract/canonical-json.ts';
import { Fault } from '../../stages/fault.ts';
import { reparse } from '../../stages/test-reports/evidence.ts';
import { testRunKey } from '../../stages/test-reports/run-key.ts';
import type { OpenLedger } from './open.ts';
import { EnvironmentPrepared, TestsRan } from './run-events.ts';

type Prepared = EnvironmentPrepared['prepared'];
type Parts = { readonly ledger: OpenLedger; readonly record: string | null };

/** Work that runs already is waited for, not begun again. A failure is forgotten, so that it can be tried again. */
function shared<T>() {
  const under = new Map<string, Promise<T>>();
  return (key: string, work: () => Promise<T>): Promise<T> => {
    const running = under.get(key);
    if (running !== undefined) return running;
    const begun = work().finally(() => under.delete(key));
    under.set(key, begun);
    return begun;
  };
}

function storedResult(ledger: OpenLedger, key: string): TestRunResult | null {
  const body = ledger.find('tests-ran', key);
  return body === null ? null : TestsRan.parse(body).result;
}

function storedPrepared(ledger: OpenLedger, key: string): Prepared | null {
  const body = ledger.find('environment-prepared', key);
  return body === null ? null : EnvironmentPrepared.parse(body).prepared;
}

/**
 * Measures each request once per run folder and finds it again afterwards. An environment of an earlier process is
 * prepared anew before its first use here, and must come out the same.
 */
export function withLedgerRuns(runs: TestRuns, { ledger, record }: Parts): TestRuns {
  const here = new Map<string, Environment>();
  const preparing = shared<Prepared>();
  const running = shared<TestRunResult>();

  async function fresh(key: string, spec: EnvironmentSpec, tree: string, signal: AbortSignal) {
    const stored = storedPrepared(ledger, key);
    if (stored?.ready === false) return stored;
    const prepared = await runs.prepare(spec, tree, signal);
    const body: EnvironmentPrepared = { spec, tree, prepared };
    ledger.note({ kind: 'environment-prepared', record, key, body });
    if (!prepared.ready) return prepared;
    if (stored !== null && stored.environment.digest !== prepared.environment.digest) {
      throw changed(stored.environment, prepared.environment);
    }
    here.set(prepared.environment.digest, prepared.environment);
    return prepared;
  }
  const prepare: TestRuns['prepare'] = (spec, tree, signal) => {
    const key = digestOf({ spec, tree });
    return preparing(key, () => fresh(key, spec, tree, signal));
  };

  async function inUse(environment: Environment, signal: AbortSignal): Promise<Environment> {
    const ready = here.get(environment.digest);
    if (ready !== undefined) return ready;
    const origin = originOf(ledger, environment);
    if (origin !== null) await prepare(origin.spec, origin.tree, signal);
    return here.get(environment.digest) ?? environment;
  }

  async function measure(
    key: string,
    request: TestRunRequest,
    signal: AbortSignal,
    options?: RunOptions,
  ) {
    const environment = await inUse(request.environment, signal);
    const { result } = await runs.run(
      { ...request, environment },
      signal,
      controlledIn(environment, options),
    );
    const bare = { ...request, environment: { ...environment, handle: '' } };
    ledger.note({ kind: 'tests-ran', record, key, body: { request: bare, result } });
    return storedResult(ledger, key) ?? result;
  }

  return {
    prepare,
    async run(request, signal, options) {
      const key = testRunKey(request);
      const stored = storedResult(ledger, key);
      const result = stored ?? (await running(key, () => measure(key, request, signal, options)));
      return { key, result };
    },
  };
}

/** The control runs in the same environment as the run, under the handle that it has in this process. */
function controlledIn(environment: Environment, options: RunOptions | undefined) {
  const control = options?.control;
  if (control === undefined) return options;
  const moved: Control = { ...control, request: { ...control.request, environment } };
  return { ...options, control: moved };
}

/** What an environment was made from, in this run or an earlier process of it. */
export function originOf(ledger: OpenLedger, { digest }: Environment): EnvironmentPrepared | null {
  const all = ledger
    .events('environment-prepared')
    .map(({ body }) => EnvironmentPrepared.parse(body));
  return (
    all.find(({ prepared }) => prepared.ready && prepared.environment.digest === digest) ?? null
  );
}

const toolsOf = ({ sandbox, tools }: Environment) =>
  [sandbox, ...tools.map(({ name, version }) => `${name} ${version}`)].join(', ');

function changed(before: Environment, now: Environment): Fault {
  return new Fault(
    `Preparing the environment failed: this run began with ${toolsOf(before)}, and here it is ${toolsOf(now)}. Go on where it began, or take another --run name.`,
    { code: 'environment-failed' },
  );
}

/** Test runs from the ledger alone: nothing is executed, every report is read again from its stored bytes. */
export function replayedRuns(ledger: OpenLedger): TestRuns {
  return {
    async prepare(spec, tree) {
      const stored = storedPrepared(ledger, digestOf({ spec, tree }));
      if (stored === null) throw differs(`no environment for tree ${tree} was prepared`);
      return stored;
    },
    async run(request) {
      const key = testRunKey(request);
      const result = storedResult(ledger, key);
      if (result === null) {
        throw differs(
          `test run ${key} was never made (${request.files.join(', ')} on tree ${request.tree}, repeat ${request.repeat})`,
        );
      }
      if (canonicalJson(reparse(result, ledger)) !== canonicalJson(result)) {
        throw differs(`the stored report of test run ${key} now reads differently`);
      }
      return { key, result };
    },
  };
}

function differs(what: string): Fault {
  return new Fault(`Replay failed: ${what}. The run's inputs or this program have changed since.`, {
    code: 'replay-differs',
  });
}
