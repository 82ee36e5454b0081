import { z } from 'zod';
import { Usage } from './usage.ts';

export const Role = z.enum([
  'drafter',
  'solver',
  'prober',
  'reviewer',
  'refuter',
  'advocate',
  'repairer',
  'adversary',
]);
export type Role = z.infer<typeof Role>;

export const FinishReason = z.enum([
  'stop',
  'length',
  'tool',
  'refused',
  'truncated',
  'aborted',
  'idle-timeout',
  'unreadable',
]);

/** Endings that are the world's doing and not the model's: asked again, never stored as an answer, never an attempt. */
export const BrokenFinish = FinishReason.extract([
  'truncated',
  'aborted',
  'idle-timeout',
  'unreadable',
]);

/**
 * One question to one model. Found again by the digest of its canonical JSON, so three entrants with one prompt are three requests.
 * `schema` is a JSON Schema that the answer must meet, with its name; null asks for plain text.
 */
export const ModelRequest = z.strictObject({
  role: Role,
  entrant: z.string(),
  subject: z.string(),
  condition: z.string(),
  replicate: z.number().int().nonnegative(),
  attempt: z.number().int().positive(),
  reask: z.number().int().nonnegative(),
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1),
  schema: z.strictObject({ name: z.string(), json: z.record(z.string(), z.unknown()) }).nullable(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
});
export type ModelRequest = z.infer<typeof ModelRequest>;

/** What came back. `text` is kept whole, also when it is unusable; `fromReasoning` marks an answer found in the wrong field. */
export const Completion = z.strictObject({
  text: z.string(),
  finish: FinishReason,
  provider: z.enum(['openai', 'mailbox', 'recorded', 'scripted']),
  modelRequested: z.string(),
  modelReturned: z.string().nullable(),
  responseId: z.string().nullable(),
  fromReasoning: z.boolean(),
  usage: Usage,
  /** Who or what answered, for recordings; null from a live provider. */
  provenance: z.record(z.string(), z.string()).nullable(),
});
export type Completion = z.infer<typeof Completion>;
