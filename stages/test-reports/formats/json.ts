/** A value, or whether the text is the beginning of one (`cut`) or none at all (`bad`). */
export type Json =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly end: 'cut' | 'bad' };

const strings = /"[^"\\]*(?:\\.[^"\\]*)*"/gs;
const countOf = (text: string, sign: string) => text.split(sign).length;

/** Whether a bracket or a string is still open at the end of the text. */
function isOpen(text: string): boolean {
  const bare = text.replace(strings, '');
  if (bare.includes('"')) return true;
  return countOf(bare, '{') > countOf(bare, '}') || countOf(bare, '[') > countOf(bare, ']');
}

/** Read an object's text. Never throws. */
export function readJson(text: string): Json {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const isObject = text.trimStart().startsWith('{');
    return { ok: false, end: isObject && isOpen(text) ? 'cut' : 'bad' };
  }
}
