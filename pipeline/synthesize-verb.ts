import type { Io } from './arguments.ts';
import { describeDrafting } from './describe-drafting.ts';
import { excludeCopies } from './exclude-copies.ts';
import { knownTasks } from './known-tasks.ts';
import type { Opened } from './mine-into.ts';
import { mineAll, type SourceArguments, writeSeeds } from './mine-verb.ts';
import { openBatch } from './open-batch.ts';
import { openRun } from './open-run.ts';
import { printMatrices } from './print-matrix.ts';
import { walkRecords } from './run-verbs.ts';
import { describeFigures, testFigures } from './test-figures.ts';
import { noteStart, placeOf, verbConfig } from './verb-config.ts';
import { report } from './walk-verb.ts';

/** Draft and prove: from mined sources to instances. */
export async function synthesizeVerb(args: SourceArguments, io: Io): Promise<number> {
  const config = verbConfig(args);
  if (args['dry-run'] === true) return await describeDrafting(config, args, io);
  const run = await openRun(config, placeOf(args, io));
  const opened: Opened[] = [];
  try {
    noteStart(run.ledger, config);
    const mined = await mineAll(run, args, io, opened);
    writeSeeds(run.folder, mined);
    const known = knownTasks(config);
    await openBatch(run, mined, io);
    await walkRecords(run, 'validate', io);
    excludeCopies(run.ledger, known);
    const ends = await walkRecords(run, 'validate', io);
    printMatrices(ends, (line) => io.say(line));
    const tests = testFigures(run.ledger);
    io.say(describeFigures(tests));
    return report('synthesize', run, ends, io, { tests });
  } finally {
    for (const { close } of opened) await close();
    run.close();
  }
}
