import { isabelleMarks } from './isabelle-marks.ts';
import { nestedEnd, pieceAt, type Scanned, type Sink, sink, withMarks } from './scan.ts';

const blank = /[ \t\n\r\f\v]+/uy;
const symbol = /\\<\^?[A-Za-z][A-Za-z0-9_']*>/uy;
const greek =
  'alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|mu|nu|xi|pi|rho|sigma|tau|upsilon|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega';
/** Letters of names: Latin, script and Fraktur, greek. Every other symbol ends a name; `\<lambda>` is one of them. */
const letter = String.raw`(?:[A-Za-z]|\\<(?:[A-Za-z]|AA|BB|CC|DD|EE|FF|GG|HH|II|JJ|KK|LL|MM|NN|OO|PP|QQ|RR|SS|TT|UU|VV|WW|XX|YY|ZZ|aa|bb|cc|dd|ee|ff|gg|hh|ii|jj|kk|ll|mm|nn|oo|pp|qq|rr|ss|tt|uu|vv|ww|xx|yy|zz|${greek})>)`;
const part = String.raw`(?:\\<\^sub>)?(?:${letter}|[0-9_'])`;
const longName = new RegExp(
  String.raw`(?:\?'?|')?${letter}(?:${part})*(?:\.${letter}(?:${part})*)*`,
  'uy',
);
const number = /[0-9]+/uy;
const dots = /\.+/uy;
const documentWords = new Set(
  'text txt text_raw chapter section subsection subsubsection paragraph subparagraph'.split(' '),
);
/** Formal comments: with a cartouche they are no part of any command. */
const notes = new Set('\\<comment> \\<^cancel> \\<^latex> \\<^marker>'.split(' '));

/** A token of the outer syntax. `inner` is what a string or a cartouche holds; `isDocument` tells text that is not code. */
export type Outer = {
  readonly text: string;
  readonly at: number;
  readonly end: number;
  readonly inner?: string;
  readonly isDocument?: boolean;
};

type State = Omit<Sink, 'tokens'> & {
  readonly text: string;
  readonly tokens: Outer[];
  /** Texts of formal comments. */
  readonly notes: Outer[];
  at: number;
};

function comment(state: State): boolean {
  if (!state.text.startsWith('(*', state.at)) return false;
  const { at } = state;
  const { end, closed } = nestedEnd(state.text, at, ['(*', '*)']);
  if (!closed) state.error ??= 'a comment that does not end';
  state.comments.push({ text: state.text.slice(at, end), at });
  state.spans.push({ kind: 'comment', at, end });
  state.at = end;
  return true;
}

function addQuote(state: State, kind: string, token: string, end: number, inner: string): void {
  const { at } = state;
  const last = state.tokens.at(-1);
  const isNote =
    last !== undefined &&
    token === '\\<open>' &&
    notes.has(last.text) &&
    (last.end === at || last.text === '\\<comment>');
  const isDocument = isNote || documentWords.has(last?.text ?? '');
  if (isNote) state.tokens.pop();
  (isNote ? state.notes : state.tokens).push({ text: token, at, end, inner, isDocument });
  state.spans.push({ kind, at, end });
  state.at = end;
}

function cartouche(state: State): boolean {
  const open = '\\<open>';
  const { text, at } = state;
  if (!text.startsWith(open, at)) return false;
  const { end, closed } = nestedEnd(text, at, [open, '\\<close>']);
  if (!closed) state.error ??= 'a cartouche that does not end';
  addQuote(state, 'cartouche', open, end, text.slice(at + open.length, end));
  return true;
}

const escapePair = /\\(?:([\\"`])|(\d{3}))/uy;

/** The end of a backslash pair in a string, a symbol being none; null where Isabelle knows no such escape. */
function pairEnd(text: string, at: number, quote: string): { end: number; sign: string } | null {
  const whole = pieceAt(symbol, text, at);
  if (whole !== null) return { end: at + whole.length, sign: whole };
  escapePair.lastIndex = at;
  const [found, sign, code] = escapePair.exec(text) ?? [];
  if (found === undefined || (sign !== undefined && sign !== '\\' && sign !== quote)) return null;
  // A backslash before a symbol escapes nothing: the symbol is one sign.
  if (sign === '\\' && pieceAt(symbol, text, at + 1) !== null) return null;
  if (Number(code ?? 0) > 255) return null;
  return { end: at + found.length, sign: sign ?? String.fromCodePoint(Number(code)) };
}

/** A quoted text: an escape is the quote, a backslash or three digits. */
function quoted(state: State): boolean {
  const { text } = state;
  const quote = text[state.at];
  if (quote !== '"' && quote !== '`') return false;
  const inner: string[] = [];
  let [at, from] = [state.at + 1, state.at + 1];
  while (at < text.length && text[at] !== quote) {
    if (text[at] !== '\\') {
      at += 1;
      continue;
    }
    const pair = pairEnd(text, at, quote);
    if (pair === null) state.error ??= 'an escape that Isabelle does not know';
    inner.push(text.slice(from, at), pair?.sign ?? '');
    at = pair?.end ?? at + 2;
    from = at;
  }
  if (at >= text.length) state.error ??= 'a string that does not end';
  inner.push(text.slice(from, at));
  addQuote(state, 'string', '""', Math.min(text.length, at + 1), inner.join(''));
  return true;
}

function plain(state: State): void {
  const { text, at } = state;
  const piece =
    pieceAt(longName, text, at) ??
    pieceAt(symbol, text, at) ??
    pieceAt(number, text, at) ??
    pieceAt(dots, text, at) ??
    String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  const end = at + piece.length;
  state.spans.push({ kind: 'token', at, end });
  state.tokens.push({ text: piece, at, end });
  state.at = end;
}

/** The outer syntax alone: what commands, methods and names are read from. */
export function lexIsabelle(text: string) {
  const state: State = { ...sink(), tokens: [], notes: [], text, at: 0 };
  while (state.at < text.length) {
    const space = pieceAt(blank, text, state.at);
    if (space !== null) state.at += space.length;
    else if (!comment(state) && !cartouche(state) && !quoted(state)) plain(state);
  }
  return state;
}

/**
 * Isabelle's outer syntax: symbols, nested comments, raw balanced cartouches, strings. Nothing is special inside a comment.
 * After the tokens come marks for what only a place or a quoted text gives away: see `isabelleMarks`.
 * Source: contracts.md 8.3, after the Isar reference manual.
 */
export function scanIsabelle(text: string): Scanned {
  const { tokens, notes: aside, comments, spans, error } = lexIsabelle(text);
  const marks = [...isabelleMarks(tokens), ...isabelleMarks(aside)];
  return { tokens: withMarks(tokens, marks), comments, spans, error };
}
