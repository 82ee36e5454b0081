import type { TestResult, TestStatus } from '../../../schemas/test-report.ts';

/** `root`: absolute path of the tree as the runner saw it. `package`: put before every id, null outside of monorepos. */
export type ReportContext = { readonly root: string; readonly package: string | null };

/** `structured`: the runner says it in fields. `low`: read out of text in which a test can print the same words. */
export type Trust = 'structured' | 'low';

/**
 * What a runner's own report files say. Results have unique ids and are sorted by them; a test that is not in them was not seen.
 * `no-report`: nothing there or no test in it. `crashed`: it says itself that it is not whole. `problem` is null when completed.
 */
export type ReportReading = {
  readonly status: 'completed' | 'crashed' | 'no-report' | 'unreadable';
  readonly trust: Trust;
  readonly results: readonly TestResult[];
  readonly problem: string | null;
};

/** One test as a file tells it: names raw, `file` empty where the format knows none, no titles for the file itself. */
export type Case = {
  readonly file: string;
  readonly titles: readonly string[];
  readonly line: number | null;
  readonly status: TestStatus;
  readonly message: string | null;
};

/** The tests of one file. `crash` says why they are not all; `bad` that none of the file can be believed. */
export type Part =
  | { readonly cases: readonly Case[]; readonly crash: string | null }
  | { readonly bad: 'crashed' | 'unreadable'; readonly why: string };

/** The first of these that a test has is what it is. A test that broke its assertion and its tear-down failed. */
const worstFirst: readonly TestStatus[] = [
  'failed',
  'error',
  'unexpected-pass',
  'flaky',
  'absent',
  'expected-failure',
  'skipped',
  'passed',
];

/** The worst of at least one status; `error` of none. */
export const worst = (statuses: readonly TestStatus[]): TestStatus =>
  worstFirst.find((status) => statuses.includes(status)) ?? 'error';
