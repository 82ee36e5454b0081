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
