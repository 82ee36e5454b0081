import { BrokenFinish, type Completion, type ModelRequest } from '../../schemas/completion.ts';
import type { Price } from '../../schemas/price.ts';
import type { Model } from '../../stages/context.ts';
import { canonicalJson, digestOf } from '../../stages/contract/canonical-json.ts';
import { Fault } from '../../stages/fault.ts';
import { type ModelFailed, ModelReturned, type ModelSent } from './model-events.ts';
import type { OpenLedger } from './open.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

type Called = {
  readonly ledger: OpenLedger;
  /** The record that pays, null for what belongs to the run as a whole. */
  readonly record: string | null;
  readonly provider: Completion['provider'];
  readonly price: Price | null;
};

/** The stored answer to a request, or null. */
function storedCompletion(ledger: OpenLedger, request: ModelRequest): Completion | null {
  const body = ledger.find('model-returned', digestOf(request));
  if (body === null) return null;
  const { completion, textBlob } = ModelReturned.parse(body);
  return { ...completion, text: decoder.decode(ledger.get(textBlob)) };
}

/**
 * Answers from the ledger where it can, so that no answer is paid for twice. In `replay` a request without a stored
 * answer is the fault `replay-differs` and `model` may be null.
 * Lay it outermost: memory over retry over budget over `withLedgerCalls` over the provider.
 */
export function withLedgerModel(
  model: Model | null,
  { ledger, mode }: { readonly ledger: OpenLedger; readonly mode: 'write' | 'replay' },
): Model {
  return {
    async complete(request, signal) {
      const stored = storedCompletion(ledger, request);
      if (stored !== null) return stored;
      if (mode === 'replay' || model === null) throw unanswered(request);
      const completion = await model.complete(request, signal);
      return storedCompletion(ledger, request) ?? completion;
    },
  };
}

function unanswered(request: ModelRequest): Fault {
  const { role, entrant, subject, attempt, reask } = request;
  return new Fault(
    `Replay failed: the ledger has no answer to request ${digestOf(request)} (${role} "${entrant}" on ${subject}, attempt ${attempt}, re-ask ${reask}). The run's inputs or this program have changed since.`,
    { code: 'replay-differs' },
  );
}

/**
 * The number of this call among those of the same request. A letter in a mailbox that nobody answered yet
 * is one call, however often a run looks in.
 */
function nextCall(ledger: OpenLedger, digest: string, provider: Called['provider']): number {
  let call = 0;
  while (ledger.find('model-sent', `${digest}:${call}`) !== null) call += 1;
  const last = `${digest}:${call - 1}`;
  const isOpen = call > 0 && ledger.find('model-failed', last) === null;
  return provider === 'mailbox' && isOpen ? call - 1 : call;
}

const isWaiting = (error: unknown) => error instanceof Fault && error.code === 'model-waiting';

/**
 * Notes each call when it is sent and when it ends, one line of money per call, retries too.
 * Lay it innermost, around the provider itself.
 */
export function withLedgerCalls(model: Model, called: Called): Model {
  const { ledger, record } = called;
  return {
    async complete(request, signal) {
      const sent = noteSent(request, called);
      const key = `${sent.request}:${sent.call}`;
      const fail = (failed: Omit<ModelFailed, 'request' | 'call'>) =>
        ledger.note({
          kind: 'model-failed',
          record,
          key,
          body: { request: sent.request, call: sent.call, ...failed } satisfies ModelFailed,
        });
      const completion = await model.complete(request, signal).catch((error: unknown) => {
        if (!isWaiting(error)) fail({ ...named(error), usage: null, textBlob: null });
        throw error;
      });
      if (BrokenFinish.safeParse(completion.finish).success) {
        const { finish, usage, text } = completion;
        const textBlob = ledger.put(encoder.encode(text));
        fail({ code: finish, message: 'no whole answer came', usage, textBlob });
        return completion;
      }
      noteReturned(completion, sent, called);
      return completion;
    },
  };
}

function noteSent(request: ModelRequest, { ledger, record, provider, price }: Called): ModelSent {
  const text = canonicalJson(request);
  const digest = ledger.put(encoder.encode(text));
  const call = nextCall(ledger, digest, provider);
  const { role, entrant, subject } = request;
  const body = { request: digest, call, role, entrant, subject, provider, price };
  const sent: ModelSent = { ...body, characters: text.length };
  ledger.note({ kind: 'model-sent', record, key: `${digest}:${call}`, body: sent });
  return sent;
}

function noteReturned(
  { text, ...completion }: Completion,
  { request, call }: ModelSent,
  { ledger, record }: Called,
): void {
  const textBlob = ledger.put(encoder.encode(text));
  const body: ModelReturned = { request, call, textBlob, completion };
  ledger.note({ kind: 'model-returned', record, key: request, body });
}

function named(error: unknown): { code: string; message: string } {
  if (error instanceof Fault) return { code: error.code, message: error.message };
  if (error instanceof Error) return { code: error.name, message: error.message };
  return { code: 'unknown', message: String(error) };
}
