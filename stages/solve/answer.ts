import type { z } from 'zod';
import { BrokenFinish, type Completion } from '../../schemas/completion.ts';

/**
 * Why an answer cannot be used. `cut`: half a JSON object; `length`: the same, and the model's own limit ended it;
 * `unfinished`: the connection or the server ended it, which is the world's doing.
 */
export type AnswerFault =
  | 'empty'
  | 'refused'
  | 'length'
  | 'unfinished'
  | 'html'
  | 'cut'
  | 'not-json'
  | 'schema';

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: AnswerFault; readonly detail: string };

const no = (fault: AnswerFault, detail: string) => ({ ok: false, fault, detail }) as const;

/** A reply that is one fenced block, alone or with words around it, is its content. */
const fence = /^[\s\S]*?```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```[\s\S]*$/u;

function jsonOf(
  text: string,
): { readonly value: unknown } | { readonly fault: 'cut' | 'not-json'; readonly detail: string } {
  const plain = text.trim();
  for (const candidate of [plain, fence.exec(plain)?.[1]]) {
    if (candidate === undefined) continue;
    try {
      return { value: JSON.parse(candidate) };
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
    }
  }
  const opened = plain.replace(/^```(?:json)?\s*/u, '');
  const isCut = opened.startsWith('{') && !/\}\s*(?:```)?$/u.test(opened);
  return isCut
    ? { fault: 'cut', detail: 'half a JSON object, although the model says it was done' }
    : { fault: 'not-json', detail: 'the reply is not one JSON object' };
}

function finished({ finish, text }: Completion): ReturnType<typeof no> | null {
  if (finish === 'refused') return no('refused', 'the model refused');
  if (finish === 'length') return no('length', 'the reply was cut by its length limit');
  if (/^\s*<(?:!doctype|html|head|body)\b/iu.test(text))
    return no('html', 'an HTML page instead of an answer');
  if (BrokenFinish.safeParse(finish).success) {
    return no('unfinished', `the reply ended as "${finish}"`);
  }
  const plain = text.trim();
  return plain === '' || plain === 'null' ? no('empty', 'an empty reply') : null;
}

const problemsOf = (error: z.ZodError) =>
  error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`)
    .join('; ');

/**
 * An answer against a schema. Nothing is repaired, defaulted or guessed: what does not validate is a named failure.
 * A complete and valid object counts also when it was found in the reasoning field; the completion carries that mark.
 */
export function parseAnswer<T>(completion: Completion, schema: z.ZodType<T>): Answer<T> {
  const bad = finished(completion);
  if (bad) return bad;
  const parsed = jsonOf(completion.text);
  if ('fault' in parsed) return no(parsed.fault, parsed.detail);
  const checked = schema.safeParse(parsed.value);
  return checked.success
    ? { ok: true, value: checked.data }
    : no('schema', problemsOf(checked.error));
}
