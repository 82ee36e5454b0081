import type { TestReport, TestStatus } from '../../schemas/test-report.ts';
import type { RunStatus } from '../../schemas/test-run.ts';

/** How the runner's process ended. */
export type RunEnd = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** There where the kernel ended something of the run because its memory was used up. */
  readonly outOf?: 'memory' | undefined;
};

/** With these a runner must fail, and without any it must not. */
const failures: ReadonlySet<TestStatus> = new Set(['failed', 'error']);
/** Runners differ over these; either exit is believed. */
const disputed: ReadonlySet<TestStatus> = new Set(['unexpected-pass', 'flaky']);

/** Codes of a process that a signal ended, as a shell tells them: 137 for one that was killed. No runner means failing tests. */
const isKilled = (code: number): boolean => code > 128 && code < 160;

/** Whether the exit code says the same as the report. */
function agrees(code: number, report: TestReport): boolean {
  if (isKilled(code)) return false;
  if (hasFailures(report)) return code !== 0;
  return code === 0 || report.results.some(({ status }) => disputed.has(status));
}

/**
 * The status of a run, from its end and what was read of its report (null: unreadable). `hasReport`: there were bytes.
 * A run without a single result is `no-report`: nothing measured is not "all failed".
 */
export function runStatus(end: RunEnd, report: TestReport | null, hasReport: boolean): RunStatus {
  if (end.timedOut) return 'timed-out';
  if (end.outOf !== undefined) return 'crashed';
  if (!hasReport) return 'no-report';
  if (report === null) return 'unreadable';
  if (!report.complete || end.code === null) return 'crashed';
  if (report.results.length === 0) return 'no-report';
  return agrees(end.code, report) ? 'completed' : 'crashed';
}

/** Whether a report holds what a runner must exit unequal to 0 for. */
export const hasFailures = ({ results }: TestReport): boolean =>
  results.some(({ status }) => failures.has(status));
