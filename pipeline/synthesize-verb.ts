import type { Io } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import type { Opened } from './mine-into.ts';
import { mineAll, type SourceArguments, writeSeeds } from './mine-verb.ts';
import { openRecords } from './open-records.ts';
import { openRun } from './open-run.ts';
import { printMatrices } from './print-matrix.ts';
import { walkRecords } from './run-verbs.ts';
import { noteStart, placeOf, verbConfig } from './verb-config.ts';
import { report } from './walk-verb.ts';

/** Draft and prove: from mined sources to instances. */
export async function synthesizeVerb(args: SourceArguments, io: Io): Promise<number> {
  const config = verbConfig(args);
  const run = await openRun(config, placeOf(args, io));
  const opened: Opened[] = [];
  try {
    noteStart(run.ledger, config);
    const mined = await mineAll(run, args, io, opened);
    writeSeeds(run.folder, mined);
    if (args['dry-run'] === true) {
      const drafts = mined.reduce((sum, source) => sum + source.drafts.length, 0);
      const most = config.synthesize.batch + drafts;
      io.say(
        `synthesize would open at most ${most} records; each costs some tens of test runs and no model call.`,
      );
      io.summarize({ run: config.run, verb: 'synthesize', dry_run: true, records_at_most: most });
      return exitCodes.done;
    }
    openRecords(run.ledger, mined, config);
    const ends = await walkRecords(run, 'validate', io);
    printMatrices(ends, (line) => io.say(line));
    return report('synthesize', run, ends, io);
  } finally {
    for (const { close } of opened) await close();
    run.close();
  }
}
