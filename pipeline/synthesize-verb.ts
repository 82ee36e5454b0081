import type { RunConfig } from '../schemas/run-config.ts';
import type { Io } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { lookIfThere } from './look-into.ts';
import type { Opened } from './mine-into.ts';
import { mineAll, type SourceArguments, writeSeeds } from './mine-verb.ts';
import { minedSources } from './mined.ts';
import { openRecords } from './open-records.ts';
import { openRun } from './open-run.ts';
import { printMatrices } from './print-matrix.ts';
import { walkRecords } from './run-verbs.ts';
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
    openRecords(run.ledger, mined, config);
    const ends = await walkRecords(run, 'validate', io);
    printMatrices(ends, (line) => io.say(line));
    return report('synthesize', run, ends, io);
  } finally {
    for (const { close } of opened) await close();
    run.close();
  }
}

/** What would be drafted, from what is mined already; a source that is not adds the drafts it carries. */
async function describeDrafting(
  config: RunConfig,
  { out, positionals }: SourceArguments,
  io: Io,
): Promise<number> {
  const mined = await lookIfThere({ config, out, clock: io.clock }, (ledger) =>
    ledger === null ? [] : minedSources(ledger),
  );
  const drafts = mined.reduce((sum, source) => sum + source.drafts.length, 0);
  const most = config.synthesize.batch + drafts;
  const unread =
    positionals.length === 0 ? '' : `, beside the drafts that ${positionals.join(', ')} may carry`;
  io.say(`synthesize would open at most ${most} records${unread}.`);
  io.say('Each costs some tens of test runs; only solo solvers are asked.');
  io.summarize({ run: config.run, verb: 'synthesize', dry_run: true, records_at_most: most });
  return exitCodes.done;
}
