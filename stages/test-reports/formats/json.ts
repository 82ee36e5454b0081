/** A value, or whether the text is the beginning of one (`cut`) or none at all (`bad`). */
export type Json =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly end: 'cut' | 'bad' };

const signs = /\\.|["{}[\]]/gs;
const depthOf: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** Whether a bracket or a string is still open at the end of the text. */
function isOpen(text: string): boolean {
  let [depth, inString] = [0, false];
  for (const [sign] of text.matchAll(signs)) {
    if (sign === '"') inString = !inString;
    else if (!inString) depth += depthOf[sign] ?? 0;
  }
  return inString || depth > 0;
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
