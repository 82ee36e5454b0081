import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunConfig } from '../schemas/run-config.ts';
import type { Io } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { type Exported, exportRecords, releaseFolder } from './export-run.ts';
import { moneyOf } from './ledger/money.ts';
import { replaying } from './ledger/replaying.ts';
import { lookInto } from './look-into.ts';
import { type OpenRun, openRun } from './open-run.ts';
import { pricesOf } from './prices.ts';
import { writeRelease } from './release/write-release.ts';
import { openPatches } from './repos/patches.ts';
import { existingRun } from './run-folder.ts';
import { noteStart, placeOf, verbConfig, type WalkArguments } from './verb-config.ts';

type ExportArguments = WalkArguments & {
  readonly 'dry-run'?: boolean;
  readonly 'allow-no-licence'?: boolean;
};

/** Export a run; what is refused is named with its code. */
export async function exportVerb(args: ExportArguments, io: Io): Promise<number> {
  const plain = verbConfig(args);
  existingRun({ run: plain.run, out: args.out });
  const allowed = args['allow-no-licence'] === true || plain.export.allow_no_licence;
  const config = { ...plain, export: { ...plain.export, allow_no_licence: allowed } };
  if (args['dry-run'] === true) return await describeExport(config, args, io);
  const run = await openRun(config, placeOf(args, io));
  try {
    noteStart(run.ledger, config);
    const { exported, sums } = await writeRun(run);
    sayRefused(exported, io);
    const folder = releaseFolder(run.folder);
    io.say(`${exported.tasks.length} tasks in ${folder}`);
    io.summarize({
      run: config.run,
      verb: 'export',
      ...named(exported),
      release: folder,
      sha256sums: sums,
    });
    return exported.refused.length > 0 ? exitCodes.incomplete : exitCodes.done;
  } finally {
    run.close();
  }
}

/** What the release would hold. Patches are made aside, and what they bring is kept in memory only. */
async function describeExport(
  config: RunConfig,
  { out }: ExportArguments,
  io: Io,
): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'codespecweave-export-'));
  try {
    const exported = await lookInto({ config, out, clock: io.clock }, async (stored) => {
      const { put, get, has } = replaying(stored);
      const ledger = { ...stored, put, get, has };
      const patches = await openPatches({ ledger, scratch, signal: io.signal });
      const money = moneyOf(stored.events(), pricesOf(config));
      return await exportRecords({ ledger, patches, config, money });
    });
    sayRefused(exported, io);
    io.say(`export would write ${exported.tasks.length} tasks, ${exported.files.length} files.`);
    const { tasks, refused } = named(exported);
    io.summarize({ run: config.run, verb: 'export', dry_run: true, tasks, refused });
    return exported.refused.length > 0 ? exitCodes.incomplete : exitCodes.done;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What was kept out, for people. */
export function sayRefused({ refused }: Exported, io: Io): void {
  for (const { record, rejection } of refused)
    io.say(`  ${record}: not exported (${rejection.code}): ${rejection.detail}`);
}

const named = ({ tasks, refused }: Exported) => ({
  tasks,
  refused: refused.map(({ record, rejection: { code } }) => ({ record, code })),
});

/** Write the release of an open run and note its name. */
export async function writeRun(
  run: OpenRun,
): Promise<{ readonly exported: Exported; readonly sums: string }> {
  const { ledger, patches, config, folder } = run;
  const exported = await exportRecords({ ledger, patches, config, money: run.money() });
  const sums = writeRelease({ folder: releaseFolder(folder), files: exported.files });
  const body = { sha256sums: sums, tasks: exported.tasks };
  ledger.note({ kind: 'release-written', record: null, key: sums, body });
  return { exported, sums };
}
