/**
 * One token that can carry code; `at` counts UTF-16 units. A string's text is its content in double quotes, as the program sees
 * it; `isCode` marks one that something may run, as a template's tag does.
 */
export type Token = { readonly text: string; readonly at: number; readonly isCode?: true };

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

const escaped = /\\u\{([0-9a-fA-F]+)\}|\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})/gu;

/** Names and strings as a reader of the language sees them: `\u0061` is `a`. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(escaped, (whole, braced?: string, four?: string, two?: string) => {
    const code = Number.parseInt(braced ?? four ?? two ?? '', 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

const inString =
  /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{1,3})|(\r\n|[\s\S]))/gu;
const signs: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
};

function sign(whole: string): string {
  if (/^[\r\n\u2028\u2029]/u.test(whole)) return '';
  return signs[whole] ?? whole;
}

/** The content of a string as the program sees it: `\x66\163` is `fs`, and a backslash before another sign is gone. */
export function cooked(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(inString, (_, braced, four, eight, two, octal, other = '') => {
    const hex = braced ?? four ?? eight ?? two;
    if (hex === undefined && octal === undefined) return sign(other);
    const code = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}
