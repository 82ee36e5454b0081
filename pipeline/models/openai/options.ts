import { z } from 'zod';
import type { Clock } from '../../../stages/context.ts';

/** How the answer's shape is asked for; `auto` starts with a schema and steps down when the server refuses. */
export const Structured = z.enum(['auto', 'json_schema', 'json_object', 'none']);

const isClock = (value: unknown) => typeof value === 'object' && value !== null && 'sleep' in value;

/** `apiKey` is the key itself, read by the caller; null for a server that asks for none. */
export const OpenaiOptions = z.strictObject({
  name: z.string(),
  model: z.string(),
  base_url: z.url().default('https://api.openai.com/v1'),
  apiKey: z.string().min(1).nullable().default(null),
  /** Longest silence, before the first word as between two; Node itself gives up after 300 s. */
  idle_timeout_s: z.number().positive().max(290).default(240),
  max_output_tokens: z.number().int().positive().default(16_384),
  structured: Structured.default('auto'),
  clock: z.custom<Clock>(isClock, 'expected a clock'),
});
export type OpenaiOptions = z.infer<typeof OpenaiOptions>;
