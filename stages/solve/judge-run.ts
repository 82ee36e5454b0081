import type { Build } from '../../schemas/attempt.ts';
import type { TestGroup } from '../../schemas/instance.ts';
import type { TestRunResult } from '../../schemas/test-run.ts';

type Run = { readonly key: string; readonly result: TestRunResult };

/** Statuses by id; an id that the report holds twice is no evidence of anything and counts as conflicting. */
function statusesOf({ report }: TestRunResult): Map<string, string> {
  const statuses = new Map<string, string>();
  for (const { id, status } of report.results)
    statuses.set(id, statuses.has(id) ? 'conflicting' : status);
  return statuses;
}

/** What makes a run as a whole worthless, or null. The control has passed before, so it is the candidate's doing. */
function runReason(
  { status, report, drift, tampered, outOf }: TestRunResult,
  excused: ReadonlySet<string>,
): string | null {
  if (tampered !== undefined) return `build.tampered: ${tampered}`;
  if (status === 'timed-out') return 'build.timeout';
  const changed = drift.find((path) => !excused.has(path));
  if (changed !== undefined) return `build.tree-changed: ${changed}`;
  const why = outOf === undefined ? status : `${status}, out of ${outOf}`;
  if (status !== 'completed' || !report.complete) return `build.report-incomplete: ${why}`;
  return null;
}

function idReason(ids: readonly string[], statuses: ReadonlyMap<string, string>): string | null {
  const first = (fits: (status: string | undefined) => boolean) =>
    ids.find((id) => fits(statuses.get(id)));
  const conflicting = first((status) => status === 'conflicting');
  if (conflicting !== undefined) return `build.report-conflict: ${conflicting}`;
  const missing = first((status) => status === undefined || status === 'absent');
  if (missing !== undefined) return `build.id-missing: ${missing}`;
  const bad = first((status) => status !== 'passed' && status !== 'skipped');
  if (bad !== undefined) return `build.id-failed: ${bad}`;
  const skipped = first((status) => status === 'skipped');
  return skipped === undefined ? null : `build.id-skipped: ${skipped}`;
}

/**
 * Build of one run: every expected id is there exactly once and literally `passed`. Counts come by group; a run that cannot be
 * trusted as a whole counts nothing. `excused` are paths that the control's own run changed too.
 */
export function judgeRun(
  groups: readonly TestGroup[],
  { key, result }: Run,
  excused: ReadonlySet<string>,
): Build {
  const statuses = statusesOf(result);
  const broken = runReason(result, excused);
  const passed = (id: string) => broken === null && statuses.get(id) === 'passed';
  const reason =
    broken ??
    idReason(
      groups.flatMap(({ ids }) => ids),
      statuses,
    );
  return {
    status: reason === null ? 'true' : 'false',
    reason,
    runs: [key],
    groups: groups.map(({ name, ids }) => ({
      group: name,
      passed: ids.filter(passed).length,
      total: ids.length,
    })),
  };
}

/** The Build of a candidate that was not built: a violation under contract-first, or no candidate at all. */
export const notBuilt: Build = { status: 'not-run', reason: null, runs: [], groups: [] };
