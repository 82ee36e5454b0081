import { expect, test } from 'vitest';
import type { TestReport, TestStatus } from '../../../schemas/test-report.ts';
import { runStatus } from '../../../stages/test-reports/run-status.ts';

const exit = (code: number | null, timedOut = false) => ({ code, signal: null, timedOut });
const report = (complete: boolean, ...statuses: TestStatus[]): TestReport => ({
  runner: 'vitest',
  complete,
  results: statuses.map((status, at) => ({
    id: `a > ${at}`,
    file: 'a',
    line: null,
    status,
    message: null,
  })),
});

test.each([
  ['all pass and the exit is 0', exit(0), report(true, 'passed'), 'completed'],
  ['skipped tests do not fail a run', exit(0), report(true, 'passed', 'skipped'), 'completed'],
  ['one fails and so does the exit', exit(1), report(true, 'passed', 'failed'), 'completed'],
  ['one fails and the exit is 0', exit(0), report(true, 'failed'), 'crashed'],
  ['all pass and the exit is not 0', exit(1), report(true, 'passed'), 'crashed'],
  ['runners differ over an unexpected pass', exit(0), report(true, 'unexpected-pass'), 'completed'],
  ['runners differ over an unexpected pass', exit(1), report(true, 'unexpected-pass'), 'completed'],
  ['the end is missing', exit(0), report(false, 'passed'), 'crashed'],
  ['a signal ended it after its end record', exit(null), report(true, 'passed'), 'crashed'],
  ['no test ran', exit(0), report(true), 'no-report'],
  ['the report cannot be read', exit(0), null, 'unreadable'],
  ['time ran out', exit(null, true), report(false, 'passed'), 'timed-out'],
  ['time ran out after all was reported', exit(null, true), report(true, 'passed'), 'timed-out'],
])('%s', (_, end, read, status) => {
  expect(runStatus(end, read, true)).toBe(status);
});

test('140 KB of text and exit 0 are no report', () => {
  expect(runStatus(exit(0), null, false)).toBe('no-report');
});
