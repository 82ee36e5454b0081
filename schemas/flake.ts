import { z } from 'zod';
import { Digest } from './digest.ts';
import { TestStatus } from './test-report.ts';

/**
 * What is made different about a repeat on purpose. `order`: `reverse`, or the seed of a shuffle, null as it comes.
 * `clockShiftS`: seconds that the clock is ahead, 0 for the real one.
 */
export const Disturbance = z.strictObject({
  order: z.union([z.literal('reverse'), z.number().int().positive()]).nullable(),
  clockShiftS: z.number().int(),
});
export type Disturbance = z.infer<typeof Disturbance>;

/**
 * What of a disturbance the runner and the box could really do. `order`: tests and files, files alone, or nothing. `clock`: the
 * image's libfaketime, our own preload, or nothing; `none` also where nothing was asked for.
 */
export const Disturbed = z.strictObject({
  order: z.enum(['tests', 'files', 'none']),
  clock: z.enum(['faketime', 'preload', 'none']),
});
export type Disturbed = z.infer<typeof Disturbed>;

/** One run of gold at admission, by its key in the ledger; both null for an undisturbed one. */
export const AdmissionRun = z.strictObject({
  run: Digest,
  disturbance: Disturbance.nullable(),
  disturbed: Disturbed.nullable(),
});
export type AdmissionRun = z.infer<typeof AdmissionRun>;

/**
 * A test whose verdict changed over runs of one tree. `suspect`: what was made different alone and changed it again, else chance.
 * `runs`: all that were looked at, by key, in order.
 */
export const Flake = z.strictObject({
  id: z.string(),
  suspect: z.enum(['order', 'clock', 'chance']),
  runs: z.array(z.strictObject({ run: Digest, status: TestStatus })),
});
export type Flake = z.infer<typeof Flake>;
