import { z } from 'zod';

/**
 * One vocabulary for every runner. `failed`: an assertion failed. `error`: the test could not run to its assertion.
 * Only `passed` satisfies a list.
 */
export const TestStatus = z.enum([
  'passed',
  'failed',
  'error',
  'skipped',
  'expected-failure',
  'unexpected-pass',
  'flaky',
  'absent',
]);
export type TestStatus = z.infer<typeof TestStatus>;

/**
 * Ids are unique, NFC and one line: file, then suite path and name joined by " > ".
 * `line` is where the test is defined, from 1, null where the runner does not say.
 */
export const TestResult = z.strictObject({
  id: z.string().min(1),
  file: z.string(),
  line: z.number().int().positive().nullable(),
  status: TestStatus,
  message: z.string().nullable(),
});
export type TestResult = z.infer<typeof TestResult>;

/** `complete` is false when the runner's own end record is missing. */
export const TestReport = z.strictObject({
  runner: z.string(),
  complete: z.boolean(),
  results: z.array(TestResult),
});
export type TestReport = z.infer<typeof TestReport>;
