import { join } from 'node:path';
import type { RunConfig } from '../schemas/run-config.ts';
import type { TestRunResult } from '../schemas/test-run.ts';
import type { TestRuns } from '../stages/context.ts';
import type { Io } from './arguments.ts';
import type { OpenLedger } from './ledger/open.ts';
import { originOf, replayedRuns } from './ledger/with-ledger-runs.ts';
import { openTestRuns } from './runs/open.ts';
import { sandboxHost } from './sandbox-host.ts';
import { chooseSandbox } from './sandboxes/choose.ts';
import { withSlots } from './with-slots.ts';

type Parts = {
  readonly config: RunConfig;
  readonly sandbox: string | undefined;
  readonly out: string;
  readonly io: Io;
};

/** Test runs that are measured anew and compared, test by test; the stored result is what the replay goes on with. */
export async function rebuiltRuns(
  ledger: OpenLedger,
  { config, sandbox, out, io }: Parts,
): Promise<{ readonly runs: TestRuns; readonly differences: () => readonly string[] }> {
  const kept = memoryOver(ledger);
  const options = {
    run: `${config.run}-replay`,
    cache: join(out, '.cache'),
    host: sandboxHost(config),
  };
  const kind = (sandbox ?? config.sandbox) as RunConfig['sandbox'];
  const opened = await chooseSandbox(kind, options);
  const fresh = withSlots(
    openTestRuns({ sandbox: opened, ledger: kept, clock: io.clock }),
    config.concurrency,
  );
  const stored = replayedRuns(ledger);
  const found: string[] = [];
  const seen = new Set<string>();
  const runs: TestRuns = {
    prepare: stored.prepare,
    async run(request, signal) {
      const before = await stored.run(request, signal);
      if (seen.has(before.key)) return before;
      seen.add(before.key);
      const tree = originOf(ledger, request.environment)?.tree ?? request.tree;
      const prepared = await fresh.prepare(request.environment.spec, tree, signal);
      const environment = prepared.ready ? prepared.environment : request.environment;
      const now = await fresh.run({ ...request, environment }, signal);
      const difference = differing(before.result, now.result);
      if (difference !== null) found.push(`test run ${before.key}: ${difference}`);
      return before;
    },
  };
  return { runs, differences: () => found };
}

/** Reports of the rebuilding are looked at and forgotten: a replay writes nothing. */
function memoryOver(ledger: OpenLedger): OpenLedger {
  return { ...ledger, put: () => '0'.repeat(64) };
}

function differing(before: TestRunResult, now: TestRunResult): string | null {
  if (before.status !== now.status) return `was ${before.status}, is ${now.status}`;
  const statuses = new Map(now.report.results.map(({ id, status }) => [id, status]));
  const other = before.report.results.find(({ id, status }) => statuses.get(id) !== status);
  if (other !== undefined)
    return `"${other.id}" was ${other.status}, is ${statuses.get(other.id) ?? 'absent'}`;
  return before.report.results.length === now.report.results.length
    ? null
    : 'another number of tests';
}
