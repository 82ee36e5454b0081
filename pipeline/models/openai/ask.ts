import OpenAI, { APIError } from 'openai';
import type { ModelRequest } from '../../../schemas/completion.ts';
import { type Dialect, firstDialect, simpler } from './dialect.ts';
import type { OpenaiOptions } from './options.ts';
import { bodyOf } from './wire-request.ts';

/** Three steps down are possible; more refusals than this are a server that refuses everything. */
const MAX_DIALECTS = 5;

const sent = ['accept', 'authorization', 'content-type', 'user-agent'];

/**
 * The environment may hold headers for another service, and the SDK adds facts about this host: only what is needed leaves.
 * A redirect is not followed, since prompts go to the endpoint that was named.
 */
const plainFetch: typeof fetch = (input, init) => {
  const headers = [...new Headers(init?.headers)].filter(([name]) => sent.includes(name));
  return fetch(input, { ...init, headers, redirect: 'manual' });
};

/** Everything that the SDK would otherwise take from the environment is set, so that no other account's data leaves. */
export const clientOf = ({ apiKey, base_url, idle_timeout_s }: OpenaiOptions): OpenAI =>
  new OpenAI({
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: base_url,
    // Retries are ours: the SDK decides by status alone and the ledger would never see them.
    maxRetries: 0,
    // Only a backstop: our own idle timer fires first.
    timeout: idle_timeout_s * 2000,
    logLevel: 'off',
    fetch: plainFetch,
  });

/**
 * Sends requests in the dialect that the endpoint was found to understand.
 * A refusal that names one of our optional fields is learnt from, and the request sent again without it.
 */
export function asker(client: OpenAI, options: OpenaiOptions) {
  const mayChangeFormat = options.structured === 'auto';
  let dialect = firstDialect(options.structured, options.base_url);
  const send = (request: ModelRequest, signal: AbortSignal) =>
    client.chat.completions.create(bodyOf(request, options, dialect), { signal }).asResponse();
  /** The next dialect after `spoken` was refused, or the refusal itself when there is none. */
  const learnt = (spoken: Dialect, error: unknown): Dialect => {
    if (!(error instanceof APIError)) throw error;
    const refusal = { status: error.status, text: error.message };
    const next = simpler(spoken, refusal, mayChangeFormat);
    if (next === null) throw error;
    return next;
  };
  return async (request: ModelRequest, signal: AbortSignal): Promise<Response> => {
    for (let refused = 0; refused < MAX_DIALECTS; refused++) {
      const spoken = dialect;
      try {
        return await send(request, signal);
      } catch (error) {
        signal.throwIfAborted();
        dialect = learnt(spoken, error);
      }
    }
    return await send(request, signal);
  };
}
