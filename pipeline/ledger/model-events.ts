import { z } from 'zod';
import { Completion, Role } from '../../schemas/completion.ts';
import { Digest } from '../../schemas/digest.ts';
import { Price } from '../../schemas/price.ts';
import { Usage } from '../../schemas/usage.ts';

const Provider = Completion.shape.provider;

/** Body of `model-sent`, key `<request>:<call>`: written before the call, so that a killed call is still a line. */
export const ModelSent = z.strictObject({
  request: Digest,
  call: z.number().int().nonnegative(),
  role: Role,
  entrant: z.string(),
  subject: z.string(),
  provider: Provider,
  price: Price.nullable(),
  /** Length of the request in characters; an estimate of its tokens rests on it. */
  characters: z.number().int().nonnegative(),
});
export type ModelSent = z.infer<typeof ModelSent>;

/** Body of `model-returned`, key `<request>`: the answer, with its text as a blob. */
export const ModelReturned = z.strictObject({
  request: Digest,
  call: z.number().int().nonnegative(),
  textBlob: Digest,
  completion: Completion.omit({ text: true }),
});
export type ModelReturned = z.infer<typeof ModelReturned>;

/** Body of `model-failed`, key `<request>:<call>`: no answer came, or one that we broke off. `code` is a fault's code or an error's name. */
export const ModelFailed = z.strictObject({
  request: Digest,
  call: z.number().int().nonnegative(),
  code: z.string(),
  message: z.string(),
  usage: Usage.nullable(),
  /** What had come of an answer that was none, null where nothing came. */
  textBlob: Digest.nullable(),
});
export type ModelFailed = z.infer<typeof ModelFailed>;
