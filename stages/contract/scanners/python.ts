import { endOfQuote, type Span } from '../lexer.ts';

const piece =
  /(?<blank>[\s\ufeff\\]+)|(?<comment>#[^\n\r]*)|(?<prefix>[a-z]{0,2})(?<quote>"""|'''|"|')|(?<name>[\p{XID_Start}_][\p{XID_Continue}]*)|(?<number>\.?\d[\w.]*)|(?<sign>==|!=|<=|>=|:=|->|\*\*|.)/iuy;

const isFormatted = (prefix: string) => /^(?:[ft]r?|r[ft])$/iu.test(prefix);
const isPrefix = (prefix: string) => /^(?:[rbuft]|[rbft]{2})?$/iu.test(prefix);

/** An open f-string: in its text, in a field (`depth` counts brackets there), or in a field's format. */
type Open = { readonly quote: string; fields: { depth: number; isFormat: boolean }[] };

type State = {
  readonly text: string;
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

/** Text of an f-string up to its end, its next field, or, in a format, the end of that field. */
function textPart(state: State, top: Open): void {
  const { text } = state;
  const isFormat = top.fields.length > 0;
  const isMultiline = top.quote.length === 3;
  let at = state.at;
  for (; at < text.length; at += 1) {
    const sign = text[at];
    if (text.startsWith(top.quote, at) || (sign === '\n' && !isMultiline)) {
      state.open.pop();
      push(state, 'string', sign === '\n' ? at : at + top.quote.length);
      return;
    }
    if (isFormat && sign === '}') {
      top.fields.pop();
      push(state, 'string', at + 1);
      return;
    }
    if (sign === '{' && (isFormat || text[at + 1] !== '{')) {
      top.fields.push({ depth: 0, isFormat: false });
      push(state, 'string', at + 1);
      return;
    }
    if (sign === '\\' || sign === '{') at += 1;
  }
  push(state, 'string', text.length);
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

function codePart(state: State): void {
  const { text, at } = state;
  piece.lastIndex = at;
  const match = piece.exec(text);
  const whole = match?.[0] ?? '';
  const { blank, comment, prefix = '', quote } = match?.groups ?? {};
  const end = at + Math.max(1, whole.length);
  if (blank !== undefined) state.at = end;
  else if (comment !== undefined) push(state, 'comment', end);
  else if (quote === undefined) {
    const top = state.open.at(-1);
    if (top) fieldSign(top, whole);
    push(state, 'token', end);
  } else if (!isPrefix(prefix)) push(state, 'token', at + prefix.length);
  else if (isFormatted(prefix)) {
    state.open.push({ quote, fields: [] });
    push(state, 'string', end);
  } else push(state, 'string', endOfQuote(text, end, quote, quote.length === 3));
}

/**
 * Pieces of Python as 3.12 and later read them: fields of f-strings hold code with quotes and lines of their own. Never throws.
 * Source: PEP 701.
 */
export function nestedSpans(text: string): Span[] {
  const state: State = { text, spans: [], open: [], at: 0 };
  while (state.at < text.length) {
    const top = state.open.at(-1);
    if (top && isInText(top)) textPart(state, top);
    else codePart(state);
  }
  return state.spans;
}
