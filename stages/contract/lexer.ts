/** One token that can carry code; `at` counts UTF-16 units. A string's text is its content in double quotes. */
export type Token = { readonly text: string; readonly at: number };

/** One piece of the text that is no blank, in UTF-16 units; quotes and comments whole. */
export type Span = { readonly kind: string; readonly at: number; readonly end: number };

/**
 * Tokens without comments, the comments apart, and every piece with both its ends. Never throws: an unclosed quote ends where
 * its language would give up.
 */
export type Lexed = {
  readonly tokens: readonly Token[];
  readonly comments: readonly Token[];
  readonly spans: readonly Span[];
};

/** Text from `at` up to and including `end`, or to the end of the file; `skip` passes over a backslash pair. */
export function endOfQuote(
  text: string,
  from: number,
  quote: string,
  isMultiline: boolean,
): number {
  let at = from;
  while (at < text.length) {
    if (text.startsWith(quote, at)) return at + quote.length;
    if (text[at] === '\\') at += 2;
    else if (text[at] === '\n' && !isMultiline) return at;
    else at += 1;
  }
  return text.length;
}

const escaped = /\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/giu;

/** Names and strings as a reader of the language sees them: `\u0061` is `a`. */
export function unescaped(text: string): string {
  return text.replace(escaped, (whole, braced?: string, four?: string, two?: string) => {
    const code = Number.parseInt(braced ?? four ?? two ?? '', 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
