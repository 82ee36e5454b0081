import { basename } from 'node:path';
import { z } from 'zod';
import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import type { Clock, Model } from '../../stages/context.ts';
import { digestOf } from '../../stages/contract/canonical-json.ts';
import { boundary, Fault } from '../../stages/fault.ts';
import { defineAdapter } from '../adapter.ts';
import { completionOf } from './completion-of.ts';
import { type Found, type Slot, slotFor } from './mailbox/folder.ts';
import { bare, type Reply, readReply } from './mailbox/reply.ts';

const Options = z.strictObject({
  name: z.string(),
  dir: z.string(),
  /** Wait for the answer, or leave with `model-waiting` and come back in another run. */
  wait: z.boolean().default(false),
  poll_ms: z.number().int().positive().default(1000),
  clock: z.custom<Clock>((value) => typeof value === 'object', 'expected a clock'),
  /** Told once for each request that waits, and for each answer that was put aside. */
  tell: z.custom<(line: string) => void>().default(() => () => undefined),
});

type Answer = { readonly reply: Reply; readonly found: Found };

/**
 * The answer in place, if there is one. A file that cannot be read is put aside and asked for once more; what comes then
 * is that reader's answer, whatever it is, and stays in place so that a resumed run finds it. Nothing is never an answer.
 */
function collect(slot: Slot, request: ModelRequest, tell: (line: string) => void): Answer | null {
  const found = slot.look();
  if (found === null) return null;
  const reply = readReply(found, request);
  if (!('invalid' in reply)) return { reply, found };
  const isBlank = found.text.trim() === '';
  if (!isBlank && slot.refused() > 0) return { reply: bare(found.text), found };
  const kept = slot.setAside(found);
  tell(
    `Mailbox answer refused: ${basename(found.path)} is not valid (${reply.invalid}). It is kept as ${kept}; answer ${slot.letterPath} once more.`,
  );
  return null;
}

function delivered({ reply, found }: Answer, name: string): Completion {
  return completionOf({
    text: reply.text,
    provider: 'mailbox',
    modelRequested: name,
    provenance: {
      through: 'mailbox',
      answeredBy: reply.by ?? 'unknown',
      answeredAt: reply.at ?? found.writtenAt,
    },
  });
}

/**
 * People, outside agents and batch services answer files in a folder. An answer stays in place and is found again.
 * Throws `model-waiting` with the path of the open request when it may not wait.
 */
export const mailbox = defineAdapter(Options, (options): Model => {
  const { name, dir, wait, clock, tell } = options;
  const waiting = (slot: Slot) => {
    const again = slot.refused() === 0 ? '' : ' once more, the last answer was not valid';
    return new Fault(
      `Mailbox "${name}" is waiting: ${slot.letterPath} has no answer. Answer it${again}, then run the same command again.`,
      { code: 'model-waiting' },
    );
  };
  const touching = <T>(work: () => T): Promise<T> =>
    boundary('out-not-writable', `Mailbox "${name}" in ${dir}`, async () => work());
  const look = (slot: Slot, request: ModelRequest) => touching(() => collect(slot, request, tell));

  async function awaited(slot: Slot, request: ModelRequest, signal: AbortSignal): Promise<Answer> {
    const found = await look(slot, request);
    if (found !== null) return found;
    tell(`Mailbox "${name}" waits for an answer to ${slot.letterPath}.`);
    for (;;) {
      await clock.sleep(options.poll_ms, signal);
      const answer = await look(slot, request);
      if (answer !== null) return answer;
    }
  }

  return {
    async complete(request, signal) {
      signal.throwIfAborted();
      const slot = slotFor(dir, digestOf(request), request);
      await touching(() => slot.post());
      const answer = wait ? await awaited(slot, request, signal) : await look(slot, request);
      if (answer === null) throw waiting(slot);
      return delivered(answer, name);
    },
  };
});
