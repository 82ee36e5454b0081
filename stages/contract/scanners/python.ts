import { cooked, endOfQuote, type Lexed, type Span, type Token } from '../lexer.ts';

const piece =
  /(?<blank>[\s\ufeff\\]+)|(?<comment>#[^\n\r]*)|(?<prefix>[a-z]{0,2})(?<quote>"""|'''|"|')|(?<name>[\p{XID_Start}_][\p{XID_Continue}]*)|(?<number>\.?\d[\w.]*)|(?<sign>==|!=|<=|>=|:=|->|\*\*|.)/iuy;

const isFormatted = (prefix: string) => /^(?:[ft]r?|r[ft])$/iu.test(prefix);
const isPrefix = (prefix: string) => /^(?:[rbuft]|[rbft]{2})?$/iu.test(prefix);

/** An open f-string: in its text, in a field (`depth` counts brackets there), or in a field's format. */
type Open = { readonly quote: string; fields: { depth: number; isFormat: boolean }[] };

type State = {
  readonly text: string;
  readonly tokens: Token[];
  readonly comments: Token[];
  readonly spans: Span[];
  readonly open: Open[];
  at: number;
};

function push(state: State, kind: string, end: number): void {
  state.spans.push({ kind, at: state.at, end });
  state.at = end;
}

/** Whether the string's own text goes on at a place, and not a field's code. */
const isInText = ({ fields }: Open) => fields.at(-1)?.isFormat !== false;

/** Where a part of an f-string's text stops: at its quote, at a line end, at a brace. Null: a sign of the text. */
function stopAt(text: string, at: number, { quote, fields }: Open): number | null {
  const sign = text[at];
  if (text.startsWith(quote, at)) return at + quote.length;
  if (sign === '\n' && quote.length === 1) return at;
  const isFormat = fields.length > 0;
  if (sign === '}' && isFormat) return at + 1;
  return sign === '{' && (isFormat || text[at + 1] !== '{') ? at + 1 : null;
}

/** Two signs of an f-string's text that are read as one; a backslash does not keep a brace from opening a field. */
const isPair = (text: string, at: number) =>
  text[at] === '{' || (text[at] === '\\' && text[at + 1] !== '{');

/** Text of an f-string up to its end, its next field, or, in a format, the end of that field. */
function textPart(state: State, top: Open): void {
  const { text } = state;
  let at = state.at;
  let end = stopAt(text, at, top);
  while (end === null && at < text.length) {
    at += isPair(text, at) ? 2 : 1;
    end = stopAt(text, at, top);
  }
  if (end !== null && !text.startsWith(top.quote, at) && text[at] === '{')
    top.fields.push({ depth: 0, isFormat: false });
  else if (end !== null && !text.startsWith(top.quote, at) && text[at] === '}') top.fields.pop();
  else state.open.pop();
  push(state, 'string', end ?? text.length);
}

/** A sign in a field: a bracket, the colon that begins a format, or the brace that ends the field. */
function fieldSign(top: Open, sign: string): void {
  const field = top.fields.at(-1);
  if (field === undefined) return;
  if ('([{'.includes(sign)) field.depth += 1;
  else if (field.depth > 0 && ')]}'.includes(sign)) field.depth -= 1;
  else if (sign === '}') top.fields.pop();
  else if (sign === ':' && field.depth === 0) field.isFormat = true;
}

/** A plain string; its escapes are resolved unless its prefix says that there are none. */
function plainString(state: State, prefix: string, quote: string): void {
  const { text, at } = state;
  const start = at + prefix.length + quote.length;
  const end = endOfQuote(text, start, quote, quote.length === 3);
  const isClosed = end - start >= quote.length && text.startsWith(quote, end - quote.length);
  const inner = text.slice(start, isClosed ? end - quote.length : end);
  state.tokens.push({ text: `"${/r/iu.test(prefix) ? inner : cooked(inner)}"`, at });
  push(state, 'string', end);
}

function sign(state: State, piece: string, isNumber: boolean): void {
  const top = state.open.at(-1);
  if (top) fieldSign(top, piece);
  state.tokens.push({ text: isNumber ? '0' : piece.normalize('NFKC'), at: state.at });
  push(state, 'token', state.at + Math.max(1, piece.length));
}

function codePart(state: State): void {
  const { text, at } = state;
  piece.lastIndex = at;
  const match = piece.exec(text);
  const whole = match?.[0] ?? '';
  const { blank, comment, prefix = '', quote, number } = match?.groups ?? {};
  const end = at + Math.max(1, whole.length);
  if (blank !== undefined) state.at = end;
  else if (comment !== undefined) {
    state.comments.push({ text: comment, at });
    push(state, 'comment', end);
  } else if (quote === undefined) sign(state, whole, number !== undefined);
  else if (!isPrefix(prefix)) sign(state, prefix, false);
  else if (isFormatted(prefix)) {
    state.open.push({ quote, fields: [] });
    state.tokens.push({ text: '""', at });
    push(state, 'string', end);
  } else plainString(state, prefix, quote);
}

/**
 * Python as 3.12 and later read it: fields of f-strings hold code with quotes and lines of their own. Never throws.
 * Source: PEP 701.
 */
export function lexNestedPython(text: string): Lexed {
  const state: State = { text, tokens: [], comments: [], spans: [], open: [], at: 0 };
  while (state.at < text.length) {
    const top = state.open.at(-1);
    if (top && isInText(top)) textPart(state, top);
    else codePart(state);
  }
  return state;
}

/** Pieces of Python as 3.12 and later read them. */
export const nestedSpans = (text: string): readonly Span[] => lexNestedPython(text).spans;
