import { join } from 'node:path';
import type { Frozen } from '../../schemas/experiment.ts';
import { experimentFigures } from '../../stages/experiment/figures.ts';
import { reportCsv } from '../../stages/experiment/report-csv.ts';
import { reportMarkdown } from '../../stages/experiment/report-markdown.ts';
import { reportSvg } from '../../stages/experiment/report-svg.ts';
import { type Arguments, defineCommand, type Io } from '../arguments.ts';
import { choices } from '../config/nearest.ts';
import { flagError } from '../config/usage-problem.ts';
import { blobStore } from '../contracts/blob-store.ts';
import { isContractProblem } from '../contracts/contract-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { assertClosed, readClosed } from '../experiments/closed-record.ts';
import {
  assertUnrun,
  type Experiment,
  frozenFile,
  readExperiment,
  readFrozen,
  recordFolder,
  writeWhole,
} from '../experiments/folder.ts';
import { assertFrozen, freeze } from '../experiments/freeze.ts';
import { openBoxes, openEntrants } from '../experiments/open-world.ts';
import { type ExperimentRecord, openRecord } from '../experiments/record.ts';
import { replayRecord } from '../experiments/replay.ts';
import { rolloutName, runExperiment } from '../experiments/run.ts';
import { openParse } from '../parsing/tree-sitter.ts';

const options = {
  'no-wait': { kind: 'flag', help: 'Leave mailbox requests open and end with 75 (run).' },
  build: { kind: 'flag', help: 'Also run every build again (replay).' },
  write: { kind: 'flag', help: 'Write report.json, .csv, .md and .svg beside the plan (report).' },
  sandbox: {
    kind: 'text',
    value: 'NAME',
    help: 'Where builds run; bwrap by default.',
    oneOf: ['bwrap', 'docker', 'process'],
  },
} as const;

type Args = Arguments<typeof options>;

const sandboxNames = ['bwrap', 'docker', 'process'] as const;
const sandboxOf = ({ sandbox }: Args) => sandboxNames.find((name) => name === sandbox) ?? 'bwrap';

const whats = ['freeze', 'run', 'report', 'replay'];

/** Freezes, runs, reports and replays an experiment on contracts. */
export const experiment = defineCommand({
  name: 'experiment',
  summary: 'compare conditions on frozen instances: freeze, run, report, replay',
  usage: 'pipeline experiment freeze | run | report | replay DIR',
  example: 'pipeline experiment report seeds/rocq-lemmas/experiment --json',
  options,
  positionals: [
    { name: 'WHAT', help: 'freeze, run, report or replay' },
    { name: 'DIR', help: 'the folder with plan.yaml, or the plan itself' },
  ],
  async run(args, io) {
    const [what = '', given = ''] = args.positionals;
    if (!whats.includes(what)) throw flagError('WHAT', choices(what, whats), `"${what}"`);
    const found = readExperiment(given);
    try {
      if (what === 'freeze') return await freezeVerb(found, args, io);
      if (what === 'run') return await runVerb(found, args, io);
      return what === 'report' ? report(found, args, io) : await replayVerb(found, args, io);
    } catch (error) {
      if (!isContractProblem(error)) throw error;
      io.say(error.message);
      const [first] = error.faults;
      io.summarize({ error: { code: first?.code, at: first?.at }, faults: error.faults });
      return exitCodes.usage;
    }
  },
});

async function freezeVerb(found: Experiment, args: Args, io: Io): Promise<number> {
  const { clock, signal } = io;
  assertUnrun(found);
  const blobs = blobStore();
  const { builder } = await openBoxes(sandboxOf(args), blobs, clock);
  const tell = (line: string) => io.progress.line(line);
  const frozen = await freeze(found, { builder, blobs, parse: await openParse(), signal, tell });
  if (!args['dry-run'])
    writeWhole(join(found.folder, frozenFile), `${JSON.stringify(frozen, null, 2)}\n`);
  const { instances, schedule } = frozen;
  for (const { id, controls } of instances)
    io.print(`${id}: ${controls.map(({ name, outcome }) => `${name} ${outcome}`).join(', ')}`);
  io.print(`plan ${frozen.plan}, ${schedule.length} rollouts`);
  io.summarize({
    verb: 'experiment freeze',
    plan: frozen.plan,
    rollouts: schedule.length,
    instances: instances.length,
  });
  return exitCodes.done;
}

/** What a run has left to do. A later attempt is asked for only where the one before it did not succeed. */
function plannedRun(frozen: Frozen, record: ExperimentRecord, io: Io): number {
  const done = new Set(record.rollouts().map(({ rollout }) => rollout));
  const open = frozen.schedule.filter((cell) => !done.has(rolloutName(cell)));
  const attempts = new Map(frozen.conditions.map(({ name, attempts: most }) => [name, most]));
  const most = open.reduce((sum, { condition }) => sum + (attempts.get(condition) ?? 0), 0);
  io.print(`${open.length} of ${frozen.schedule.length} rollouts to run, at most ${most} attempts`);
  const counts = { scheduled: frozen.schedule.length, open: open.length, attempts: most };
  io.summarize({ verb: 'experiment run', dryRun: true, ...counts });
  return exitCodes.done;
}

async function runVerb(found: Experiment, args: Args, io: Io): Promise<number> {
  const { clock, signal } = io;
  const frozen = readFrozen(found);
  const parse = await openParse();
  // Nothing is written before the experiment is known to be what was frozen.
  await assertFrozen(found, frozen, { blobs: blobStore(), parse });
  const record = openRecord(recordFolder(found.folder));
  if (args['dry-run']) return plannedRun(frozen, record, io);
  const { builder, shells } = await openBoxes(sandboxOf(args), record.blobs, clock);
  const instances = await assertFrozen(found, frozen, { blobs: record.blobs, parse });
  const tell = (line: string) => io.progress.line(line);
  const entrants = openEntrants(found, clock, !args['no-wait'], tell);
  const world = {
    ...{ builder, shells, clock, parse, signal, tell },
    ask: (entrant: string, ...call: Parameters<ReturnType<typeof entrants>['complete']>) =>
      entrants(entrant).complete(...call),
  };
  const end = await runExperiment(found, frozen, instances, record, world);
  for (const line of end.waiting) io.say(line);
  io.print(`${end.finished} of ${end.scheduled} rollouts finished, ${end.waiting.length} waiting`);
  io.summarize({ verb: 'experiment run', ...end });
  return end.waiting.length > 0 ? exitCodes.waiting : exitCodes.done;
}

function report(found: Experiment, args: Args, io: Io): number {
  const figures = experimentFigures(found.plan, readClosed(found, readFrozen(found)));
  io.print(reportMarkdown(figures));
  if (args.write && !args['dry-run']) {
    const place = (kind: string) => join(found.folder, `report.${kind}`);
    writeWhole(place('json'), `${JSON.stringify(figures, null, 2)}\n`);
    writeWhole(place('csv'), reportCsv(figures));
    writeWhole(place('md'), reportMarkdown(figures, 'report.svg'));
    writeWhole(place('svg'), reportSvg(figures));
  }
  io.summarize({ verb: 'experiment report', ...figures });
  return exitCodes.done;
}

async function replayVerb(found: Experiment, args: Args, io: Io): Promise<number> {
  const { clock, signal } = io;
  const frozen = readFrozen(found);
  assertClosed(found);
  const parse = await openParse();
  const record = openRecord(recordFolder(found.folder));
  const own = blobStore();
  const instances = await assertFrozen(found, frozen, { blobs: own, parse });
  const blobs = {
    put: own.put,
    get: (name: string) => (own.has(name) ? own.get(name) : record.blobs.get(name)),
  };
  const builder = args.build ? (await openBoxes(sandboxOf(args), blobs, clock)).builder : null;
  const { difference, rollouts, attempts } = await replayRecord(
    frozen,
    instances,
    { ...record, blobs: { ...record.blobs, ...blobs } },
    { parse, signal, builder },
  );
  if (difference === null)
    io.print(
      `${rollouts} rollouts, ${attempts} attempts: agrees${args.build ? ', builds too' : ''}`,
    );
  else
    io.print(
      `first difference at ${difference.at}\n  recorded ${difference.recorded}\n  found    ${difference.found}`,
    );
  io.summarize({
    verb: 'experiment replay',
    agrees: difference === null,
    rollouts,
    attempts,
    difference,
    build: args.build,
  });
  return difference === null ? exitCodes.done : exitCodes.incomplete;
}
