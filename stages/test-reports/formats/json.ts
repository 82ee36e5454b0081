/** A value, or whether the text is the beginning of one (`cut`) or none at all (`bad`). */
export type Json =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly end: 'cut' | 'bad' };

const signs = /\\.|["{}[\]]/gs;
const opening = '{[';
const closing = '}]';

/** Whether an object is still open at the end of its text; within an open string it is. */
function isOpen(text: string): boolean {
  let [depth, inString] = [0, false];
  for (const [sign] of text.matchAll(signs)) {
    if (sign === '"') inString = !inString;
    else if (!inString && opening.includes(sign)) depth++;
    else if (!inString && closing.includes(sign)) depth--;
  }
  return depth > 0;
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
