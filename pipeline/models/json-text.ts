/** A text read as JSON, or the parser's word on why it is none. */
export type JsonText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string };

/** Reads a text that somebody else wrote; a text that is not JSON is a result, not an error. */
export function readJson(text: string): JsonText {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, reason: error.message };
  }
}

const fenceAtStart = /^\s*```[a-z]*\n/i;
const stringOrBracket = /"(?:[^"\\]|\\.)*("?)|[[\]{}]/gs;

const steps: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** Whether a text starts like a JSON object or list, also inside a fence, and ends before its last bracket. */
export function isCutJson(text: string): boolean {
  const body = text.replace(fenceAtStart, '').trimStart();
  if (!/^[{[]/.test(body)) return false;
  let depth = 0;
  for (const [token, closing] of body.matchAll(stringOrBracket)) {
    if (closing === '') return true;
    depth += steps[token] ?? 0;
    if (depth === 0) return false;
  }
  return true;
}
