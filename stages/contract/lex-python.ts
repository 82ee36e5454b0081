import { cooked, endOfQuote, type Lexed, type Span, type Token } from './lexer.ts';

const piece =
  /(?<blank>[\s\ufeff\\]+)|(?<comment>#[^\n\r]*)|(?<prefix>[a-z]{0,2})(?<quote>"""|'''|"|')|(?<name>[\p{XID_Start}_][\p{XID_Continue}]*)|(?<number>\.?\d[\w.]*)|(?<sign>==|!=|<=|>=|:=|->|\*\*|.)/iuy;

const isText = (prefix: string) => /^(?:[rbuft]|[rbft]{2})?$/iu.test(prefix);

/** Where a replacement field ends: the brace that closes it, nested brackets and strings passed over. */
function fieldEnd(text: string, from: number, limit: number): number {
  let depth = 0;
  for (let at = from; at < limit; at++) {
    const sign = text[at] ?? '';
    if (sign === '"' || sign === "'") at = endOfQuote(text, at + 1, sign, false) - 1;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return limit;
}

/** The code inside an f-string: what stands in its fields. */
function fields(text: string, from: number, limit: number): Token[] {
  const tokens: Token[] = [];
  let at = from;
  while (at < limit) {
    if (text[at] !== '{') at += 1;
    else if (text[at + 1] === '{') at += 2;
    else {
      const end = fieldEnd(text, at + 1, limit);
      const inner = lexPython(text.slice(at + 1, end));
      tokens.push(...inner.tokens.map((token) => ({ text: token.text, at: token.at + at + 1 })));
      at = end + 1;
    }
  }
  return tokens;
}

function quoted(
  text: string,
  at: number,
  prefix: string,
  quote: string,
): { tokens: Token[]; end: number } {
  const start = at + prefix.length + quote.length;
  const end = endOfQuote(text, start, quote, quote.length === 3);
  const closed = end - start >= quote.length && text.startsWith(quote, end - quote.length);
  const limit = closed ? end - quote.length : end;
  const isFormatted = /[ft]/iu.test(prefix);
  const inner = text.slice(start, limit);
  const tokens = isFormatted
    ? fields(text, start, limit)
    : [{ text: `"${/r/iu.test(prefix) ? inner : cooked(inner)}"`, at }];
  return { tokens, end };
}

type Step = {
  readonly kind: string;
  readonly tokens: readonly Token[];
  readonly comments: readonly Token[];
  readonly end: number;
};

function step(text: string, at: number): Step {
  piece.lastIndex = at;
  const match = piece.exec(text);
  const whole = match?.[0] ?? '';
  const { blank, comment, prefix = '', quote, number } = match?.groups ?? {};
  const end = at + Math.max(1, whole.length);
  if (blank !== undefined) return { kind: 'blank', tokens: [], comments: [], end };
  if (comment !== undefined)
    return { kind: 'comment', tokens: [], comments: [{ text: comment, at }], end };
  if (quote !== undefined && isText(prefix)) {
    return { kind: 'string', ...quoted(text, at, prefix, quote), comments: [] };
  }
  if (quote !== undefined)
    return { kind: 'token', tokens: [{ text: prefix, at }], comments: [], end: at + prefix.length };
  const token = number === undefined ? whole.normalize('NFKC') : '0';
  return { kind: 'token', tokens: [{ text: token, at }], comments: [], end };
}

/** Tokens of Python, names in NFKC as Python reads them. Fields of f-strings are code and stay. */
export function lexPython(text: string): Lexed {
  const tokens: Token[] = [];
  const comments: Token[] = [];
  const spans: Span[] = [];
  let at = 0;
  while (at < text.length) {
    const next = step(text, at);
    if (next.kind !== 'blank') spans.push({ kind: next.kind, at, end: next.end });
    tokens.push(...next.tokens);
    comments.push(...next.comments);
    at = next.end;
  }
  return { tokens, comments, spans };
}
