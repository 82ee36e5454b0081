import { z } from 'zod';
import { Digest } from './digest.ts';
import { Environment } from './environment.ts';
import { Disturbance, Disturbed } from './flake.ts';
import { TestReport } from './test-report.ts';

/**
 * One run of test files on one tree. A pure value: equal requests are one run, found again by the digest of its canonical JSON.
 * `overlay` files are laid over the tree just before the run and their bytes are checked there.
 */
export const TestRunRequest = z.strictObject({
  environment: Environment,
  tree: Digest,
  overlay: z.array(z.strictObject({ path: z.string(), sha256: Digest })),
  /** Test files to run, sorted; never empty. */
  files: z.array(z.string()).min(1),
  repeat: z.number().int().nonnegative(),
  /** What is made different on purpose; absent for an ordinary run. */
  disturbance: Disturbance.optional(),
  /** The tree calls probes, and what they tell is asked for; absent for an ordinary run. */
  probed: z.literal(true).optional(),
});
export type TestRunRequest = z.infer<typeof TestRunRequest>;

/** Numbers of probes that ran beside some test files; no test files: beside any of them. */
const Ran = z.array(
  z.strictObject({ tests: z.array(z.string()), ids: z.array(z.number().int().nonnegative()) }),
);
export type Ran = z.infer<typeof Ran>;

export const RunStatus = z.enum(['completed', 'crashed', 'timed-out', 'no-report', 'unreadable']);
export type RunStatus = z.infer<typeof RunStatus>;

/**
 * What was measured, net of the sentinels that every run carries. `report` is read again from `reportBlob` at every replay.
 * `tampered` is there where the sentinels found outcomes rewritten: the file and what became of them; then nothing else of the run
 * is believed. `outOf` is there where the kernel ended something of the run because its memory was used up; `unsupervised` where
 * the image has no Node for the supervisor, so that the report was a file that the tests themselves could reach.
 */
export const TestRunResult = z.strictObject({
  status: RunStatus,
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  reportBlob: Digest.nullable(),
  stdoutBlob: Digest,
  stderrBlob: Digest,
  droppedBytes: z.number().int().nonnegative(),
  durationMs: z.number().nonnegative(),
  drift: z.array(z.string()),
  report: TestReport,
  tampered: z.string().optional(),
  outOf: z.literal('memory').optional(),
  unsupervised: z.literal(true).optional(),
  /** What of the request's disturbance took place. */
  disturbed: Disturbed.optional(),
  /** What the probes of a probed run told; absent where the runner cannot be asked. */
  ran: Ran.optional(),
});
export type TestRunResult = z.infer<typeof TestRunResult>;
