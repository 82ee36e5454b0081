import type { Reason } from '../../schemas/contract-report.ts';

/** A reason of the builder; `code` without its group. */
export const buildReason = (code: string, detail: string, path: string | null = null): Reason => ({
  code: `build.${code}`,
  path,
  at: null,
  detail,
});
