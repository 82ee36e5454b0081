import { z } from 'zod';
import type { ModelRequest } from '../../../schemas/completion.ts';
import { readJson } from '../json-text.ts';

const Envelope = z.strictObject({
  answer: z.unknown(),
  answered_by: z.string().min(1).optional(),
  answered_at: z.iso.datetime({ offset: true }).optional(),
});

/** An answer as it was handed in; `by` and `at` are null where the file does not say. */
export type Reply = {
  readonly text: string;
  readonly by: string | null;
  readonly at: string | null;
};

/** A text of which nothing is known but itself. */
export const bare = (text: string): Reply => ({ text, by: null, at: null });

const wantsAnswerField = ({ schema }: ModelRequest) =>
  'answer' in (z.record(z.string(), z.unknown()).safeParse(schema?.json.properties).data ?? {});

/** An object with nothing but `answer` may be the answer itself, where the schema has a field of that name. */
function isEnvelope(value: unknown, request: ModelRequest): value is z.infer<typeof Envelope> {
  const parsed = Envelope.safeParse(value);
  if (!parsed.success || parsed.data.answer === undefined) return false;
  const { answered_by: by, answered_at: at } = parsed.data;
  return by !== undefined || at !== undefined || !wantsAnswerField(request);
}

const textOf = (answer: unknown) => (typeof answer === 'string' ? answer : JSON.stringify(answer));

/** Read an answer file, or say why it is none. A bare JSON answer keeps its own spelling. */
export function readReply(
  file: { readonly kind: 'json' | 'md'; readonly text: string },
  request: ModelRequest,
): Reply | { readonly invalid: string } {
  if (file.text.trim() === '') return { invalid: 'the file is empty' };
  if (file.kind === 'md') return bare(file.text);
  const json = readJson(file.text);
  if (!json.ok) return { invalid: json.reason };
  if (!isEnvelope(json.value, request)) return bare(file.text);
  const { answer, answered_by: by = null, answered_at: at = null } = json.value;
  const text = textOf(answer);
  return text.trim() === '' ? { invalid: '"answer" is empty' } : { text, by, at };
}
