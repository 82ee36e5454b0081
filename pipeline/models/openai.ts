import { APIError } from 'openai';
import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import type { Model } from '../../stages/context.ts';
import { defineAdapter } from '../adapter.ts';
import { completionOf } from './completion-of.ts';
import { asker, clientOf } from './openai/ask.ts';
import { faultOf, spelledOut } from './openai/fault-of.ts';
import { isSilent, type Listening, listen, within } from './openai/listen.ts';
import { nameAnswer } from './openai/name-answer.ts';
import { OpenaiOptions } from './openai/options.ts';
import { nothingHeard } from './openai/wire-answer.ts';

const silence: Listening = { heard: nothingHeard, raw: '', end: 'silent' };

/** One controller a call, chained to the run's signal, so that listeners do not pile up there and nothing stays open. */
async function chained<T>(
  signal: AbortSignal,
  work: (controller: AbortController) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work(controller);
  } finally {
    signal.removeEventListener('abort', stop);
    controller.abort();
  }
}

/** Any server that speaks OpenAI's chat completions, hosted or local. Throws `model-unavailable` and `quota-exhausted`. */
export const openai = defineAdapter(OpenaiOptions, (options): Model => {
  const { name, model, base_url, clock, apiKey } = options;
  const client = clientOf(options);
  const ask = asker(client, options);
  const idleMs = options.idle_timeout_s * 1000;
  const redact = (text: string) => (apiKey === null ? text : text.replaceAll(apiKey, '[key]'));

  async function hear(request: ModelRequest, controller: AbortController): Promise<Listening> {
    const ear = { client, clock, idleMs, controller };
    const response = await within(ask(request, controller.signal), ear);
    return isSilent(response) ? silence : await listen(response, ear);
  }

  function named({ heard, ...rest }: Listening, request: ModelRequest): Completion {
    const answer = nameAnswer({ heard, ...rest }, request.schema);
    return completionOf({
      ...answer,
      text: redact(answer.text),
      provider: 'openai',
      modelRequested: model,
      modelReturned: heard.model,
      responseId: heard.id,
      usage: heard.usage,
    });
  }

  return {
    async complete(request, signal) {
      try {
        const listening = await chained(signal, (controller) => hear(request, controller));
        // An aborted stream ends its loop like a whole one.
        signal.throwIfAborted();
        return named(listening, request);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof APIError)) throw error;
        throw faultOf(spelledOut(error), { name, endpoint: base_url, now: clock.now(), redact });
      }
    },
  };
});
