import { join } from 'node:path';
import type { RunConfig } from '../schemas/run-config.ts';
import type { Context } from '../stages/context.ts';
import { stages } from '../stages/registry.ts';
import type { Io } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { exportRecords, releaseFolder } from './export-run.ts';
import { moneyOf } from './ledger/money.ts';
import { type OpenLedger, openLedger } from './ledger/open.ts';
import { type ReplayingLedger, replaying } from './ledger/replaying.ts';
import { verifySeal } from './ledger/seal.ts';
import { withLedgerModel } from './ledger/with-ledger-model.ts';
import { replayedRuns } from './ledger/with-ledger-runs.ts';
import { openParse } from './parsing/tree-sitter.ts';
import { pricesOf } from './prices.ts';
import { rebuiltRuns } from './rebuilt-runs.ts';
import { compareRelease } from './release/compare-release.ts';
import { openPatches } from './repos/patches.ts';
import { existingRun, outFolder } from './run-folder.ts';
import { runSettings } from './run-settings.ts';
import { runTask } from './run-task.ts';
import { lastConfig } from './verb-config.ts';

type ReplayArguments = {
  readonly run?: string | undefined;
  readonly out?: string | undefined;
  readonly sandbox?: string | undefined;
  readonly build: boolean;
};

/** Stages whose facts are taken as stored: they read the source, which need not be at hand. */
const STORED = ['draft', 'build'];

/** Every hash first; then every stage from validation on, and the release, from stored answers and reports alone. */
export async function replayVerb(args: ReplayArguments, io: Io): Promise<number> {
  const { run, folder } = existingRun(args);
  const broken = verifySeal(folder);
  if (broken.length > 0) return end(run, broken.map(unsealed), io);
  const ledger = openLedger({ folder, mode: 'read', clock: io.clock });
  try {
    return end(run, await differencesOf(ledger, folder, args, io), io);
  } finally {
    ledger.close();
  }
}

const unsealed = (path: string): string =>
  `${path}: missing, added, or other bytes than when the run was closed. Restore it from a copy, or make the run again.`;

function end(run: string, differences: readonly string[], io: Io): number {
  for (const difference of differences) io.say(difference);
  const agrees = differences.length === 0;
  io.say(
    agrees
      ? `Run ${run} replays byte for byte.`
      : `Run ${run} does not replay: ${differences.length} difference(s).`,
  );
  io.summarize({ run, verb: 'replay', agrees, differences });
  return agrees ? exitCodes.done : exitCodes.incomplete;
}

async function differencesOf(
  ledger: OpenLedger,
  folder: string,
  args: ReplayArguments,
  io: Io,
): Promise<readonly string[]> {
  const config = lastConfig(ledger);
  if (config === null) return [];
  const replayed = replaying(ledger);
  const rebuilt = args.build
    ? await rebuiltRuns(ledger, { config, sandbox: args.sandbox, out: outFolder(args.out), io })
    : { runs: replayedRuns(ledger), differences: () => [] };
  const scratch = join(outFolder(args.out), '.cache', 'scratch', `replay-${config.run}`);
  const patches = await openPatches({ ledger: replayed, scratch, signal: io.signal });
  const parse = await openParse();
  const context: Context = {
    settings: runSettings(config),
    signal: io.signal,
    clock: io.clock,
    model: () => withLedgerModel(null, { ledger: replayed, mode: 'replay' }),
    runs: rebuilt.runs,
    repo: (name) => {
      throw new Error(`replay reads no source, but "${name}" was asked for`);
    },
    patches,
    ledger: replayed,
    parse,
  };
  await walkAgain(ledger, replayed, context, config, io);
  const release = await releaseAgain(ledger, replayed, context, config, folder);
  return [...replayed.differences(), ...rebuilt.differences(), ...release];
}

/** Records go as far as they went the first time, one after another. */
async function walkAgain(
  ledger: OpenLedger,
  replayed: ReplayingLedger,
  context: Context,
  config: RunConfig,
  io: Io,
): Promise<void> {
  const records = ledger.records();
  for (const [index, record] of records.entries()) {
    io.progress.step('replay', index + 1, records.length);
    const ended = ledger.events('stage-ended', record);
    for (const line of ended.slice(0, STORED.length)) replayed.note(line);
    const until = lastStage(ended);
    if (until === null || STORED.includes(until)) continue;
    const maxRevisions = config.review.rounds;
    const state = await runTask({ record, stages, until, maxRevisions, context, ledger: replayed });
    if (state.fault !== null) io.say(`${record}: ${state.fault.message}`);
  }
}

/** The farthest stage that a record has ended; a later redo does not shorten the walk. */
function lastStage(ended: ReturnType<OpenLedger['events']>): string | null {
  const names = ended.map(({ body }) => (body as { stage: string }).stage);
  const farthest = Math.max(
    ...names.map((name) => stages.findIndex((stage) => stage.name === name)),
    -1,
  );
  return stages[farthest]?.name ?? null;
}

async function releaseAgain(
  ledger: OpenLedger,
  replayed: ReplayingLedger,
  { patches }: Context,
  config: RunConfig,
  folder: string,
): Promise<readonly string[]> {
  if (ledger.events('release-written').length === 0) return [];
  const money = moneyOf(ledger.events(), pricesOf(config));
  const source = { ...replayed, events: ledger.events };
  const { files } = await exportRecords({ ledger: source, patches, money, config }, (record) => {
    const excluded = ledger.fold(record, stages).excluded;
    return { ...replayed.fold(record, stages), excluded };
  });
  return compareRelease(releaseFolder(folder), files);
}
