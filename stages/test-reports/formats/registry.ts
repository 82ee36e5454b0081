import { readCargoText } from './cargo-text.ts';
import { readGoJson } from './go-json.ts';
import { readJestJson } from './jest-json.ts';
import { type Dialect, readJunit } from './junit.ts';
import {
  byClass,
  ctest,
  jest,
  nextest,
  nodeTest,
  phpunit,
  plain,
  pytest,
  vitest,
} from './junit-dialects.ts';
import { readMochaJson } from './mocha-json.ts';
import type { Naming } from './name-cases.ts';
import { formatOf, type ReportFormat } from './read-files.ts';
import type { ReportContext, ReportReading } from './reading.ts';
import { readTap } from './tap.ts';

const numbered: Naming = { between: ' > ', repeats: 'number' };

const junit = (dialect: Dialect, naming: Naming = numbered): ReportFormat =>
  formatOf({ trust: 'structured', naming, read: (text) => readJunit(text, dialect) });

/** The reports that other runners write by themselves, one parser per format. */
export const reportFormats = {
  'cargo-text': formatOf({ trust: 'low', naming: numbered, read: readCargoText }),
  'ctest-junit': junit(ctest),
  'go-json': formatOf({ trust: 'structured', naming: numbered, read: readGoJson }),
  'gradle-junit': junit(byClass),
  'jest-json': formatOf({ trust: 'structured', naming: numbered, read: readJestJson }),
  'jest-junit': junit(jest),
  junit: junit(plain),
  'mocha-json': formatOf({ trust: 'structured', naming: numbered, read: readMochaJson }),
  'nextest-junit': junit(nextest),
  'node-test-junit': junit(nodeTest),
  'phpunit-junit': junit(phpunit),
  // Node ids are unique: what comes twice is one test, told for its call and its tear-down or tried again.
  'pytest-junit': junit(pytest, { between: '::', repeats: 'same-test' }),
  'surefire-junit': junit(byClass),
  tap: formatOf({ trust: 'structured', naming: numbered, read: readTap }),
  'vitest-json': formatOf({ trust: 'structured', naming: numbered, read: readJestJson }),
  'vitest-junit': junit(vitest),
} satisfies Record<string, ReportFormat>;

export type ReportFormatName = keyof typeof reportFormats;

/**
 * What the files of one run say in a format. Files are taken in order of their paths, as a folder lists them in no order of
 * its own; delete them before the run, for an old file looks like a new one. Never throws.
 */
export function readReport(
  format: ReportFormatName,
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  context: ReportContext,
): ReportReading {
  const sorted = files.toSorted(({ path: a }, { path: b }) => (a < b ? -1 : a > b ? 1 : 0));
  return reportFormats[format](
    sorted.map(({ bytes }) => bytes),
    context,
  );
}
