import { join } from 'node:path';
import type { Rejection } from '../schemas/rejection.ts';
import type { ReleaseInput } from '../schemas/release-input.ts';
import type { RunConfig } from '../schemas/run-config.ts';
import type { Patches } from '../stages/context.ts';
import type { ExportFile, ExportOptions } from '../stages/exporters/exporter.ts';
import { exporters } from '../stages/exporters/registry.ts';
import { stages } from '../stages/registry.ts';
import type { RecordState } from './ledger/fold.ts';
import type { Money } from './ledger/money.ts';
import type { OpenLedger } from './ledger/open.ts';
import { readExportAssets } from './release/assets.ts';
import { releaseInput } from './release-inputs.ts';

const VERSION = '0.1.0';

type Deps = {
  readonly ledger: OpenLedger;
  readonly patches: Patches;
  readonly money: Money;
  readonly config: RunConfig;
};

type Refused = { readonly record: string; readonly rejection: Rejection };

/** The files of a release and what was kept out of it, each with its code. */
export type Exported = {
  readonly files: readonly ExportFile[];
  readonly tasks: readonly string[];
  readonly refused: readonly Refused[];
};

/** Fold every record that walked to the end into release files. Runs no test and asks no model. */
export async function exportRecords(
  deps: Deps,
  stateOf: (record: string) => RecordState = (record) => deps.ledger.fold(record, stages),
): Promise<Exported> {
  const { ledger, config } = deps;
  const options = exportOptions(config);
  const accepted: ReleaseInput[] = [];
  const refused: Refused[] = [];
  for (const record of ledger.records().toSorted()) {
    const { next, rejection, excluded, facts } = stateOf(record);
    if (next !== null || rejection !== null || excluded !== null) continue;
    const input = await releaseInput(facts, deps);
    const [first] = refusalsOf(input, config, options);
    if (first === undefined) accepted.push(input);
    else refused.push({ record, rejection: first });
  }
  const files = Object.values(exporters).flatMap((exporter) => [
    ...exporter.files(accepted, options),
  ]);
  return { files, tasks: accepted.map(({ task }) => task.id), refused };
}

export const releaseFolder = (folder: string): string => join(folder, 'release');

function refusalsOf(
  input: ReleaseInput,
  { export: { max_suspects } }: RunConfig,
  options: ExportOptions,
): readonly Rejection[] {
  const suspects = input.verdicts.filter(({ verdict }) => verdict === 'suspect').length;
  const tooMany: Rejection[] =
    max_suspects === null || suspects <= max_suspects
      ? []
      : [
          {
            code: 'misaligned-open',
            detail: `${suspects} open suspicions, at most ${max_suspects} are allowed`,
            evidence: [],
          },
        ];
  const found = Object.values(exporters).flatMap((exporter) => exporter.check(input, options));
  return [...found, ...tooMany];
}

function exportOptions({ run, export: { split, allow_no_licence } }: RunConfig): ExportOptions {
  return {
    release: run.replaceAll(/[^a-z0-9-]/g, '-'),
    version: '1.0.0',
    org: 'codespecweave',
    split: split === 'train' ? 'train' : 'test',
    generatorVersion: VERSION,
    ledgerHead: null,
    allowNoLicence: allow_no_licence,
    requirePinned: false,
    images: {},
    assets: readExportAssets(),
  };
}
