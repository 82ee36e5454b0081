import { z } from 'zod';

/** What a ledger line can say. The list is closed; bodies are JSON and parsed by their reader. */
export const EventKind = z.enum([
  'run-started',
  'source-mined',
  'record-opened',
  'stage-ended',
  'record-faulted',
  'record-excluded',
  'model-sent',
  'model-returned',
  'model-failed',
  'environment-prepared',
  'tests-ran',
  'release-written',
]);
export type EventKind = z.infer<typeof EventKind>;

/**
 * One line of the ledger. `key` makes it idempotent within its kind: a second line of the same kind and key is not written.
 * `record` is null for what belongs to the run as a whole.
 */
export const LedgerEvent = z.strictObject({
  kind: EventKind,
  record: z.string().nullable(),
  key: z.string(),
  body: z.unknown(),
});
export type LedgerEvent = z.infer<typeof LedgerEvent>;
