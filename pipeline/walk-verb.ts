import type { Instance } from '../schemas/instance.ts';
import type { Rollout } from '../schemas/rollout.ts';
import type { RunConfig } from '../schemas/run-config.ts';
import { stages } from '../stages/registry.ts';
import { gradesOf } from '../stages/solve/grade-of.ts';
import type { Io } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import type { OpenLedger } from './ledger/open.ts';
import { lookInto } from './look-into.ts';
import type { OpenRun } from './open-run.ts';
import { openRun } from './open-run.ts';
import type { BatchEnd } from './run-batch.ts';
import { existingRun } from './run-folder.ts';
import { exitOf, funnelOfRecords, walkRecords } from './run-verbs.ts';
import { noteStart, placeOf, verbConfig, type WalkArguments } from './verb-config.ts';

type VerbArguments = WalkArguments & { readonly 'dry-run'?: boolean };

/** Take up a run and walk its records to a stage. */
export async function walkVerb(until: string, args: VerbArguments, io: Io): Promise<number> {
  const config = verbConfig(args);
  existingRun({ run: config.run, out: args.out });
  if (args['dry-run'] === true) {
    const looking = { config, out: args.out, clock: io.clock };
    return await lookInto(looking, (ledger) => dryRun(until, ledger, config, io));
  }
  const run = await openRun(config, placeOf(args, io));
  try {
    noteStart(run.ledger, config);
    const ends = await walkRecords(run, until, io);
    return report(until, run, ends, io);
  } finally {
    run.close();
  }
}

/** Say what became of the records, for people and for scripts; `more` is for scripts alone. */
export function report(
  verb: string,
  run: OpenRun,
  ends: readonly BatchEnd[],
  io: Io,
  more: Readonly<Record<string, unknown>> = {},
): number {
  const states = ends.map(({ state }) => state);
  const funnel = funnelOfRecords(states);
  const rollouts = states.flatMap(({ facts }) => (facts.rollouts as Rollout[]) ?? []);
  const [outcomes, grades] = [outcomesOf(rollouts), gradesOf(rollouts)];
  const { total } = run.money();
  io.say(`${verb}: ${lineOf(funnel)}`);
  if (Object.keys(outcomes).length > 0) io.say(`outcomes: ${lineOf(outcomes)}`);
  if (Object.keys(grades).length > 0) io.say(`grades: ${lineOf(grades)}`);
  if (total.calls > 0)
    io.say(
      `cost: ${total.usd.toFixed(4)} USD for ${total.calls} calls${total.costComplete ? '' : ', some of unknown price'}`,
    );
  const code = exitOf(ends);
  if (code === exitCodes.waiting)
    io.say(`Answers are missing: see ${run.folder}/mailbox, then run the same command again.`);
  const cost = { calls: total.calls, usd: total.usd, cost_complete: total.costComplete };
  io.summarize({ run: run.config.run, verb, funnel, outcomes, grades, cost, ...more });
  return code;
}

export const lineOf = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** Rollouts by class; a rollout that a fault left without one is counted as incomplete, never as a class. */
export function outcomesOf(rollouts: readonly Rollout[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of rollouts) {
    const name = outcome ?? 'incomplete';
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** What a verb would do and whom it would ask, before anything is spent. */
function dryRun(until: string, ledger: OpenLedger, config: RunConfig, io: Io): number {
  const last = stages.findIndex(({ name }) => name === until);
  const open = ledger.records().map((record) => ledger.fold(record, stages));
  const ready = open.filter(
    ({ next, rejection, excluded }) =>
      next !== null &&
      rejection === null &&
      excluded === null &&
      stages.findIndex(({ name }) => name === next) <= last,
  );
  const {
    roles,
    solve: { replicates },
    synthesize: { solo_solvers },
  } = config;
  const solos =
    ready.reduce((sum, { facts }) => sum + (facts.instance === undefined ? 2 : 0), 0) *
    solo_solvers.length;
  const calls = {
    solver: ready.length * roles.solvers.length * replicates + solos,
    reviewer: roles.reviewer === null ? 0 : ready.length,
    repairer_at_most: roles.repairer === null ? 0 : ready.length * config.review.rounds,
  };
  const tasks = ready.map(
    ({ facts }) => (facts.instance as Instance | undefined)?.task ?? '(not drafted yet)',
  );
  io.say(`${until} would walk ${ready.length} of ${open.length} records.`);
  io.say(
    `Calls at most: ${lineOf(calls)}. Models: ${config.models.map(({ name, provider }) => `${name} (${provider})`).join(', ') || 'none'}.`,
  );
  io.say(
    'Sent to a solver: statement, contract and the visible files of a task; to a reviewer: statement and hidden tests.',
  );
  io.summarize({
    run: config.run,
    verb: until,
    dry_run: true,
    records: ready.length,
    calls,
    tasks,
  });
  return exitCodes.done;
}
