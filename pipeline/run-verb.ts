import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunConfig } from '../schemas/run-config.ts';
import type { Io } from './arguments.ts';
import { excludeCopies } from './exclude-copies.ts';
import { exitCodes } from './exit-codes.ts';
import { releaseFolder } from './export-run.ts';
import { sayRefused, writeRun } from './export-verb.ts';
import { type Known, knownTasks } from './known-tasks.ts';
import { touching } from './ledger/world-fault.ts';
import type { Opened } from './mine-into.ts';
import { mineAll, type SourceArguments, writeSeeds } from './mine-verb.ts';
import { openBatch } from './open-batch.ts';
import { type OpenRun, openRun } from './open-run.ts';
import { printMatrices } from './print-matrix.ts';
import type { BatchEnd } from './run-batch.ts';
import { walkRecords } from './run-verbs.ts';
import { summaryOf } from './summary.ts';
import { noteStart, placeOf, verbConfig } from './verb-config.ts';
import { report } from './walk-verb.ts';

/** From sources to a release; each stage's progress is a line, and the same command goes on after a stop. */
export async function runVerb(
  args: SourceArguments,
  io: Io,
  config: RunConfig = verbConfig(args),
): Promise<number> {
  if (args['dry-run'] === true) return describePlan(config, args, io);
  const run = await openRun(config, placeOf(args, io));
  const opened: Opened[] = [];
  try {
    noteStart(run.ledger, config);
    const mined = await mineAll(run, args, io, opened);
    writeSeeds(run.folder, mined);
    const known = knownTasks(config);
    await openBatch(run, mined, io);
    const ends = await walkStages(run, known, io);
    printMatrices(ends, (line) => io.say(line));
    io.say('');
    const code = report('run', run, ends, io);
    if (code === exitCodes.waiting || code === exitCodes.cancelled) return code;
    return await finish(run, ends, code, io);
  } finally {
    for (const { close } of opened) await close();
    run.close();
  }
}

/** Stage after stage over all records, so that the numbers of one stage stand in one place. */
async function walkStages(
  run: OpenRun,
  known: readonly Known[],
  io: Io,
): Promise<readonly BatchEnd[]> {
  let ends: readonly BatchEnd[] = [];
  for (const [title, until] of [
    ['synthesize', 'validate'],
    ['solve', 'solve'],
    ['review and repair', 'repair'],
  ] as const) {
    io.progress.line(`${title}:`);
    ends = await walkRecords(run, until, io);
    if (until === 'validate') excludeCopies(run.ledger, known);
  }
  return ends;
}

async function finish(
  run: OpenRun,
  ends: readonly BatchEnd[],
  code: number,
  io: Io,
): Promise<number> {
  const { exported, sums } = await writeRun(run);
  const folder = releaseFolder(run.folder);
  sayRefused(exported, io);
  io.say(`export: ${exported.tasks.length} tasks in ${folder}`);
  const summary = summaryOf(run, ends, exported);
  io.say(`results: ${summary.results_sha256}`);
  writeResults(run.folder, summary);
  io.summarize({ ...summary, release: folder, sha256sums: sums });
  return exported.refused.length > 0 ? exitCodes.incomplete : code;
}

/** What was found, for scripts that compare runs. */
function writeResults(folder: string, summary: object): void {
  const file = join(folder, 'results.json');
  touching(`Writing ${file}`, () => writeFileSync(file, `${JSON.stringify(summary, null, 2)}\n`));
}

/** What a run would cost at most; nothing is opened for it. */
function describePlan(config: RunConfig, { positionals }: SourceArguments, io: Io): number {
  const { roles, models } = config;
  io.say(
    `run would mine ${positionals.join(', ')}, draft up to ${config.synthesize.batch} groups and every draft of a pack,`,
  );
  io.say(
    `ask drafter ${roles.drafter ?? 'none'}, solvers ${roles.solvers.join(', ') || 'none'}, reviewer ${roles.reviewer ?? 'none'}, repairer ${roles.repairer ?? 'none'},`,
  );
  io.say(
    `and stop before ${config.budget.usd ?? 'unlimited'} USD or ${config.budget.calls ?? 'unlimited'} calls.`,
  );
  io.summarize({
    run: config.run,
    verb: 'run',
    dry_run: true,
    models: models.map(({ name }) => name),
  });
  return exitCodes.done;
}
