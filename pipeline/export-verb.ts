import type { Io } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { type Exported, exportRecords, releaseFolder } from './export-run.ts';
import { type OpenRun, openRun } from './open-run.ts';
import { writeRelease } from './release/write-release.ts';
import { noteStart, placeOf, verbConfig, type WalkArguments } from './verb-config.ts';

type ExportArguments = WalkArguments & {
  readonly 'dry-run'?: boolean;
  readonly 'allow-no-licence'?: boolean;
};

/** Export a run; what is refused is named with its code. */
export async function exportVerb(args: ExportArguments, io: Io): Promise<number> {
  const plain = verbConfig(args);
  const allowed = args['allow-no-licence'] === true || plain.export.allow_no_licence;
  const config = { ...plain, export: { ...plain.export, allow_no_licence: allowed } };
  const run = await openRun(config, placeOf(args, io));
  try {
    noteStart(run.ledger, config);
    const { exported, sums } = await writeRun(run, args['dry-run'] === true);
    for (const { record, rejection } of exported.refused)
      io.say(`  ${record}: not exported (${rejection.code}): ${rejection.detail}`);
    const folder = releaseFolder(run.folder);
    io.say(`${exported.tasks.length} tasks in ${folder}`);
    io.summarize({
      run: config.run,
      verb: 'export',
      tasks: exported.tasks,
      refused: exported.refused.map(({ record, rejection: { code } }) => ({ record, code })),
      release: folder,
      sha256sums: sums,
    });
    return exported.refused.length > 0 ? exitCodes.incomplete : exitCodes.done;
  } finally {
    run.close();
  }
}

/** Write the release of an open run and note its name; with `isDry` only say what it would hold. */
export async function writeRun(
  run: OpenRun,
  isDry = false,
): Promise<{ readonly exported: Exported; readonly sums: string | null }> {
  const { ledger, patches, config, folder } = run;
  const exported = await exportRecords({ ledger, patches, config, money: run.money() });
  if (isDry) return { exported, sums: null };
  const sums = writeRelease({ folder: releaseFolder(folder), files: exported.files });
  const body = { sha256sums: sums, tasks: exported.tasks };
  ledger.note({ kind: 'release-written', record: null, key: sums, body });
  return { exported, sums };
}
