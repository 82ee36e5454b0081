import type { Runner } from '../../schemas/environment.ts';
import type { TestReport } from '../../schemas/test-report.ts';

/** Reads one runner's report. null where it cannot be read; never throws; nothing read is never "all failed". */
export type ReportParser = {
  readonly runner: Runner;
  parse(bytes: Uint8Array, nonce: string): TestReport | null;
};

/** Ids of every runner but pytest: the file, then titles; or titles alone where no file is known. */
export const isTitledId = (id: string, file: string): boolean =>
  file === '' || id === file || id.startsWith(`${file} > `) || id.startsWith(`${file} #`);
