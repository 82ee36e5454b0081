import { z } from 'zod';
import type { Completion, ModelRequest } from '../../../schemas/completion.ts';
import { readJson } from '../json-text.ts';
import type { Listening } from './listen.ts';

type Finish = Completion['finish'];
type Named = Pick<Completion, 'text' | 'finish' | 'fromReasoning'>;

const reasons: Readonly<Record<string, Finish>> = {
  stop: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  stop_sequence: 'stop',
  end_turn: 'stop',
  length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool',
  function_call: 'tool',
  content_filter: 'refused',
  abort: 'aborted',
};

/** What a server says in words we do not know is never taken for a whole answer. */
function finishOf({ heard, end }: Listening): Finish {
  if (heard.reason !== null) return reasons[heard.reason] ?? 'truncated';
  if (end === 'silent') return 'idle-timeout';
  if (end === 'endless') return 'length';
  return heard.seen ? 'truncated' : 'unreadable';
}

function meets(schema: ModelRequest['schema'], text: string): boolean {
  const json = readJson(text);
  if (schema === null || !json.ok) return false;
  return z.fromJSONSchema(schema.json).safeParse(json.value).success;
}

function fromReasoning(schema: ModelRequest['schema'], text: string, finish: Finish): Named {
  const usable = finish !== 'stop' || meets(schema, text);
  return { text, finish: usable ? finish : 'unreadable', fromReasoning: true };
}

/**
 * Name what was heard. `length` is the cap, `truncated` a stream without finish reason, `unreadable` a body that is no answer.
 * `stop` repeats the server's word: whether the text is whole JSON is for its reader to see.
 * An answer in the reasoning field is used where it meets the schema, and is marked.
 */
export function nameAnswer(listening: Listening, schema: ModelRequest['schema']): Named {
  const { heard, raw } = listening;
  const whole = { finish: finishOf(listening), fromReasoning: false };
  if (!heard.seen) return { ...whole, text: raw };
  if (heard.refusal !== '') return { ...whole, text: heard.refusal, finish: 'refused' };
  if (heard.text.trim() === '' && heard.reasoning.trim() !== '') {
    return fromReasoning(schema, heard.reasoning, whole.finish);
  }
  return { ...whole, text: heard.text };
}
