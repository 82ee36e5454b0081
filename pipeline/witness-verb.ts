import type { Environment } from '../schemas/environment.ts';
import type { Instance } from '../schemas/instance.ts';
import type { Kept } from '../schemas/kept.ts';
import type { RunConfig } from '../schemas/run-config.ts';
import type { Task } from '../schemas/task.ts';
import type { TestRunRequest, TestRunResult } from '../schemas/test-run.ts';
import type { Verdict, Witness } from '../schemas/verdict.ts';
import { stages } from '../stages/registry.ts';
import type { Facts } from '../stages/stage.ts';
import { testRunKey } from '../stages/test-reports/run-key.ts';
import { soloWitnesses } from '../stages/validate/solo-witness.ts';
import type { Io } from './arguments.ts';
import { choices } from './config/nearest.ts';
import { flagError } from './config/usage-problem.ts';
import { exitCodes } from './exit-codes.ts';
import type { OpenLedger } from './ledger/open.ts';
import { TestsRan } from './ledger/run-events.ts';
import { lookInto } from './look-into.ts';
import { type OpenRun, openRun } from './open-run.ts';
import { existingRun } from './run-folder.ts';
import { placeOf, verbConfig, type WalkArguments } from './verb-config.ts';

type WitnessArguments = WalkArguments & { readonly 'dry-run'?: boolean };
type Expected = Witness['expected'][number];
type Found = { readonly witness: Witness; readonly facts: Facts };

/** Execute a witness again, in fresh boxes that no ledger answers for, and compare with what it promises. */
export async function witnessVerb(asked: string, args: WitnessArguments, io: Io): Promise<number> {
  // Rows of a release name verdicts; a verdict's witness carries the same name.
  const id = asked.replace(/^v-/, 'w-');
  const config = verbConfig(args);
  existingRun({ run: config.run, out: args.out });
  if (args['dry-run'] === true) return await describeWitness(id, config, args, io);
  const run = await openRun(config, placeOf(args, io));
  try {
    const { witness, facts } = findWitness(run.ledger, id, run.config.run);
    const again = freshly(run, io);
    const seen = [];
    for (const expected of witness.expected)
      seen.push(await runAgain(run, expected, witness, facts, again));
    for (const { test, tree, result, now } of seen)
      io.say(`${test} on ${tree.slice(0, 12)}: expected ${result}, got ${now}`);
    const holds = seen.every(({ result, now }) => result === now);
    io.say(holds ? `Witness ${id} holds.` : `Witness ${id} does not hold any more.`);
    io.summarize({ run: run.config.run, verb: 'review', witness: id, holds, seen });
    return holds ? exitCodes.done : exitCodes.incomplete;
  } finally {
    run.close();
  }
}

async function describeWitness(
  id: string,
  config: RunConfig,
  { out }: WitnessArguments,
  io: Io,
): Promise<number> {
  const looking = { config, out, clock: io.clock };
  const { witness } = await lookInto(looking, (ledger) => findWitness(ledger, id, config.run));
  const checks = witness.expected.map(({ test, result }) => ({ test, result }));
  io.say(`review would run ${checks.length} checks of witness ${id}, each in a fresh box.`);
  io.summarize({ run: config.run, verb: 'review', dry_run: true, witness: id, checks });
  return exitCodes.done;
}

/** Verdicts of the newest revision and those that a repair has answered; then the merges of solo solutions behind a level 4. */
function findWitness(ledger: OpenLedger, id: string, run: string): Found {
  const all = ledger.records().flatMap((record): Found[] => {
    const { facts } = ledger.fold(record, stages);
    const verdicts = (facts.verdicts as Verdict[] | undefined) ?? [];
    const answered = (facts.kept as Kept | undefined)?.answered ?? [];
    const instance = facts.instance as Instance | undefined;
    const merges = instance === undefined ? [] : soloWitnesses(instance, run);
    return [
      ...[...verdicts, ...answered].flatMap((verdict) =>
        'witness' in verdict ? [{ witness: verdict.witness, facts }] : [],
      ),
      ...merges.map((witness) => ({ witness, facts })),
    ];
  });
  const found = all.find(({ witness }) => witness.id === id);
  if (found !== undefined) return found;
  const known = all.map(({ witness }) => witness.id);
  throw flagError(
    '--witness',
    known.length === 0 ? 'a run with a witness' : choices(id, known),
    `"${id}"`,
  );
}

type Again = (request: TestRunRequest) => Promise<TestRunResult>;

/** One fresh run answers for all tests that are looked at in it. */
function freshly({ freshRuns }: OpenRun, { signal }: Io): Again {
  const made = new Map<string, Promise<TestRunResult>>();
  return (request) => {
    const key = testRunKey(request);
    const running = made.get(key) ?? freshRuns(request, signal).then(({ result }) => result);
    made.set(key, running);
    return running;
  };
}

async function runAgain(
  run: OpenRun,
  expected: Expected,
  { type }: Witness,
  facts: Facts,
  again: Again,
): Promise<Expected & { readonly now: Expected['result'] }> {
  const result = await again(requestOf(run.ledger, expected, type, facts));
  const statuses = result.report.results
    .filter(({ id }) => type === 'probe' || id === expected.test)
    .map(({ status }) => status);
  const passed = statuses.length > 0 && statuses.every((status) => status === 'passed');
  return { ...expected, now: passed ? 'passed' : 'not-passed' };
}

/** A probe is run alone; a test is run as it was when the verdict was given, with the hidden tests of that revision. */
function requestOf(
  ledger: OpenLedger,
  { test, tree, run }: Expected,
  type: Witness['type'],
  facts: Facts,
): TestRunRequest {
  const environment = facts.environment as Environment;
  const { probes } = facts.task as Task;
  const probe = probes.find(({ id }) => id === test);
  if (type === 'probe' && probe !== undefined)
    return { environment, tree, overlay: [probe.file], files: [probe.file.path], repeat: 0 };
  const stored = TestsRan.parse(ledger.find('tests-ran', run));
  return { ...stored.request, environment, tree };
}
