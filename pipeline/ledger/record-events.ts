import { z } from 'zod';
import { FaultCode } from '../../schemas/fault-code.ts';
import { Rejection } from '../../schemas/rejection.ts';

const Facts = z.record(z.string(), z.unknown());

/** Body of `record-opened`: what a record starts with. */
export const RecordOpened = z.strictObject({ facts: Facts });

/** Body of `stage-ended`. `revision` is the one the stage ran under; `facts` are only those that it gave. */
export const StageEnded = z.strictObject({
  stage: z.string(),
  ordinal: z.number().int().nonnegative(),
  revision: z.number().int().nonnegative(),
  ending: z.enum(['done', 'redo', 'rejected']),
  from: z.string().optional(),
  facts: Facts,
  rejection: Rejection.optional(),
});
export type StageEnded = z.infer<typeof StageEnded>;

/** Body of `record-faulted`. */
export const RecordFaulted = z.strictObject({
  stage: z.string(),
  code: FaultCode,
  message: z.string(),
});
export type RecordFaulted = z.infer<typeof RecordFaulted>;

/** Body of `record-excluded`. */
export const RecordExcluded = z.strictObject({ reason: z.string() });
