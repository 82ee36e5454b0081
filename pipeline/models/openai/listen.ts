import type OpenAI from 'openai';
import { APIError } from 'openai';
import { Stream } from 'openai/streaming';
import type { Clock } from '../../../stages/context.ts';
import { type Heard, hear, hearWhole, nothingHeard } from './wire-answer.ts';

/** How the listening ended: the other side closed, it broke off in the middle, it fell silent, it went on and on. */
export type Listening = {
  readonly heard: Heard;
  readonly raw: string;
  readonly end: 'closed' | 'broken' | 'silent' | 'endless';
};

type Ear = {
  readonly client: OpenAI;
  readonly clock: Clock;
  readonly idleMs: number;
  /** Ends the request; chained to the run's signal by the caller. */
  readonly controller: AbortController;
};

/** Far above any cap on tokens; a server that ignores the cap is cut here. */
const MAX_TEXT = 4_000_000;
/** Endless newlines are a known way for structured output to go on until the cap. */
const MAX_BLANK_TAIL = 4_000;
const MAX_RAW = 1_000_000;

const silent = Symbol('silent');

/** Waits for `work`, but not longer than the idle time; the SDK's own limit does not cover the body of a stream. */
export async function within<T>(
  work: Promise<T>,
  { clock, idleMs }: Pick<Ear, 'clock' | 'idleMs'>,
): Promise<T | typeof silent> {
  const answered = new AbortController();
  const idle = clock.sleep(idleMs, answered.signal).then((): typeof silent => silent);
  try {
    return await Promise.race([work, idle]);
  } finally {
    answered.abort();
  }
}

/** Whether `within` gave up waiting. */
export const isSilent = (result: unknown): result is typeof silent => result === silent;

/** The SDK drops what is not a chunk, so the bytes are copied on their way: an error page stays readable. */
function tapped(response: Response, keep: (piece: string) => void): Response {
  const decoder = new TextDecoder();
  const tap = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      keep(decoder.decode(bytes, { stream: true }));
      controller.enqueue(bytes);
    },
  });
  return new Response(response.body?.pipeThrough(tap) ?? null, { headers: response.headers });
}

function isEndless({ text, reasoning }: Heard): boolean {
  if (text.length + reasoning.length > MAX_TEXT) return true;
  return text.length > MAX_BLANK_TAIL && text.slice(-MAX_BLANK_TAIL).trim() === '';
}

/**
 * Hear a streamed answer to its end. How the SDK's loop ends says nothing of the answer, so `end` and the finish reason do.
 * Throws an APIError that the server sent inside the stream; a connection that breaks is an end, with what was heard.
 */
export async function listen(response: Response, ear: Ear): Promise<Listening> {
  let raw = '';
  let heard = nothingHeard;
  const copy = tapped(response, (piece) => {
    raw = (raw + piece).slice(0, MAX_RAW);
  });
  const ended = (end: Listening['end']) => ({ heard, raw, end });
  if (response.body === null) return ended('closed');
  const chunks = Stream.fromSSEResponse<unknown>(copy, ear.controller, ear.client)[
    Symbol.asyncIterator
  ]();
  try {
    for (;;) {
      const step = await within(chunks.next(), ear);
      if (isSilent(step)) return ended('silent');
      if (step.done === true) break;
      heard = hear(heard, step.value);
      if (isEndless(heard)) return ended('endless');
    }
  } catch (error) {
    if (error instanceof APIError) throw error;
    return ended('broken');
  }
  if (!heard.seen) heard = hearWhole(raw);
  return ended('closed');
}
