import { readExportAssets } from '../../pipeline/release/assets.ts';
import type { ReleaseInput } from '../../schemas/release-input.ts';
import type { ExportFile, ExportOptions } from '../../stages/exporters/exporter.ts';
import { exporters } from '../../stages/exporters/registry.ts';

/** Options of a release that nothing special is asked of. */
export const releaseOptions = (parts: Partial<ExportOptions> = {}): ExportOptions => ({
  release: 'demo',
  version: '1.0.0',
  org: 'acme',
  split: 'test',
  generatorVersion: '0.1.0',
  ledgerHead: null,
  allowNoLicence: false,
  requirePinned: false,
  images: {},
  assets: readExportAssets(),
  ...parts,
});

/** Every file of a release in all formats. */
export const releaseFiles = (
  inputs: readonly ReleaseInput[],
  options = releaseOptions(),
): ExportFile[] =>
  Object.values(exporters).flatMap((exporter) => [...exporter.files(inputs, options)]);
