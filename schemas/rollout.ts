import { z } from 'zod';
import { Attempt } from './attempt.ts';
import { FaultCode } from './fault-code.ts';
import { Outcome } from './outcome.ts';

/**
 * One entrant on one instance under one condition. `outcome` is null exactly when a fault left the rollout incomplete:
 * then it has no reward and is left out of every rate.
 */
export const Rollout = z.strictObject({
  id: z.string(),
  task: z.string(),
  revision: z.number().int().nonnegative(),
  entrant: z.string(),
  family: z.string(),
  by: z.enum(['model', 'recorded', 'mailbox', 'scripted', 'control']),
  condition: z.string(),
  replicate: z.number().int().nonnegative(),
  attempts: z.array(Attempt),
  outcome: Outcome.nullable(),
  fault: z.strictObject({ code: FaultCode, detail: z.string() }).nullable(),
});
export type Rollout = z.infer<typeof Rollout>;
