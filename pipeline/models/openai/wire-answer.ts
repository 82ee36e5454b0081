import { z } from 'zod';
import type { Usage } from '../../../schemas/usage.ts';
import { unknownUsage } from '../completion-of.ts';
import { readJson } from '../json-text.ts';

const text = z.string().nullish().catch(null);
const tokens = z.number().int().nonnegative().nullish().catch(null);

/** Lenient on purpose: what a server adds is passed over, and what it gets wrong is unknown. */
const Piece = z.object({ content: text, reasoning_content: text, reasoning: text, refusal: text });

const WireUsage = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  prompt_tokens_details: z.object({ cached_tokens: tokens }).nullish().catch(null),
  completion_tokens_details: z.object({ reasoning_tokens: tokens }).nullish().catch(null),
});

const Choice = z.object({
  delta: Piece.nullish(),
  message: Piece.nullish(),
  finish_reason: text,
});

const Wire = z.object({
  id: text,
  model: text,
  choices: z.array(Choice).nullish(),
  usage: WireUsage.nullish().catch(null),
});

/** What has been heard of one answer so far; `seen` is false while nothing of it was an answer. */
export type Heard = {
  readonly seen: boolean;
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly reason: string | null;
  readonly model: string | null;
  readonly id: string | null;
  readonly usage: Usage;
};

export const nothingHeard: Heard = {
  seen: false,
  text: '',
  reasoning: '',
  refusal: '',
  reason: null,
  model: null,
  id: null,
  usage: unknownUsage,
};

const usageOf = (wire: z.infer<typeof WireUsage>): Usage => ({
  input: wire.prompt_tokens ?? null,
  cachedInput: wire.prompt_tokens_details?.cached_tokens ?? null,
  output: wire.completion_tokens ?? null,
  reasoning: wire.completion_tokens_details?.reasoning_tokens ?? null,
});

function withChoice(heard: Heard, choice: z.infer<typeof Choice>): Heard {
  const piece = choice.delta ?? choice.message;
  return {
    ...heard,
    seen: true,
    text: heard.text + (piece?.content ?? ''),
    reasoning: heard.reasoning + (piece?.reasoning_content ?? piece?.reasoning ?? ''),
    refusal: heard.refusal + (piece?.refusal ?? ''),
    reason: choice.finish_reason ?? heard.reason,
  };
}

/** Lay one chunk, or one whole answer, on what was heard before. What is neither changes nothing. */
export function hear(heard: Heard, value: unknown): Heard {
  const wire = Wire.safeParse(value);
  if (!wire.success) return heard;
  const { id, model, choices, usage } = wire.data;
  const [choice] = choices ?? [];
  const said = choice === undefined ? heard : withChoice(heard, choice);
  return {
    ...said,
    id: id ?? heard.id,
    model: model ?? heard.model,
    usage: usage ? usageOf(usage) : heard.usage,
  };
}

/** Some servers pass over `stream` and send one plain answer: read the whole body as such. */
export function hearWhole(body: string): Heard {
  const json = readJson(body);
  return json.ok ? hear(nothingHeard, json.value) : nothingHeard;
}
