import { z } from 'zod';
import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import type { Ledger, Model } from '../context.ts';
import { canonicalJson } from '../contract/canonical-json.ts';
import { type AnswerFault, parseAnswer } from './answer.ts';

/** A question before its answer's form is known. */
export type Question = Omit<ModelRequest, 'schema' | 'reask'>;

type Asked = { readonly completion: Completion; readonly requestSha: string };

export type Structured<T> =
  | ({ readonly ok: true; readonly value: T } & Asked)
  | ({
      readonly ok: false;
      readonly reason: AnswerFault;
      readonly detail: string;
      readonly raw: string;
    } & Asked);

/**
 * The JSON Schema that goes over the wire. Strict servers take closed objects with every member required, so a schema with
 * an optional or default member, or a record, is a mistake in our code and throws.
 */
export function wireSchema(schema: z.ZodType): NonNullable<ModelRequest['schema']> {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input' }) as Record<
    string,
    unknown
  >;
  assertStrict(json);
  return { name: schema.meta()?.title ?? 'answer', json };
}

function assertClosed({
  properties,
  required,
  additionalProperties,
}: Record<string, unknown>): void {
  const names = Object.keys(properties ?? {});
  const given: readonly unknown[] = Array.isArray(required) ? required : [];
  if (additionalProperties === false && names.every((name) => given.includes(name))) return;
  throw new Error(
    `wire schema failed: {${names.join(', ')}} is open or has an optional member. Use nullable().`,
  );
}

function assertStrict(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && node.type === 'object') assertClosed({ ...node });
  for (const value of Object.values(node)) assertStrict(value);
}

/** The request is stored under its own digest, so that whatever was asked can be shown later. */
export function keepRequest(ledger: Pick<Ledger, 'put'>, request: ModelRequest): string {
  return ledger.put(new TextEncoder().encode(canonicalJson(request)));
}

const correction = (detail: string) =>
  `Your reply could not be used: ${detail}. Answer again with one JSON object that meets the schema, and nothing else.`;

/** The same question once more, with the reply and what was wrong with it. It is another request, with its own digest. */
function again(request: ModelRequest, reply: string, detail: string): ModelRequest {
  const shown = reply.trim() === '' ? '(empty)' : reply;
  return {
    ...request,
    reask: request.reask + 1,
    messages: [
      ...request.messages,
      { role: 'assistant', content: shown },
      { role: 'user', content: correction(detail) },
    ],
  };
}

/**
 * One question, answered against a schema, with at most one correction turn; a refusal is not asked again.
 * Faults of the model pass through. A reply that stays unusable is data: its reason and its raw text.
 */
export async function askStructured<T>(
  model: Model,
  question: Question,
  schema: z.ZodType<T>,
  ledger: Ledger,
  signal: AbortSignal,
): Promise<Structured<T>> {
  let request: ModelRequest = { ...question, reask: 0, schema: wireSchema(schema) };
  for (;;) {
    const requestSha = keepRequest(ledger, request);
    const completion = await model.complete(request, signal);
    const answer = parseAnswer(completion, schema);
    if (answer.ok) return { ok: true, value: answer.value, completion, requestSha };
    if (request.reask > 0 || answer.fault === 'refused') {
      const { fault: reason, detail } = answer;
      return { ok: false, reason, detail, raw: completion.text, completion, requestSha };
    }
    request = again(request, completion.text, answer.detail);
  }
}
