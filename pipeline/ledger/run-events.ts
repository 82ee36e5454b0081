import { z } from 'zod';
import { Digest } from '../../schemas/digest.ts';
import { Environment, EnvironmentSpec } from '../../schemas/environment.ts';
import { TestRunRequest, TestRunResult } from '../../schemas/test-run.ts';

/** Body of `environment-prepared`: what was asked for, on which tree, and what came of it. */
export const EnvironmentPrepared = z.strictObject({
  spec: EnvironmentSpec,
  tree: Digest,
  prepared: z.discriminatedUnion('ready', [
    z.strictObject({ ready: z.literal(true), environment: Environment }),
    z.strictObject({ ready: z.literal(false), step: z.string(), tail: z.string() }),
  ]),
});
export type EnvironmentPrepared = z.infer<typeof EnvironmentPrepared>;

/** Body of `tests-ran`, key as testRunKey gives it. The environment's handle is left out: it belongs to one process. */
export const TestsRan = z.strictObject({ request: TestRunRequest, result: TestRunResult });
export type TestsRan = z.infer<typeof TestsRan>;
