import { nestedEnd, pieceAt, type Scanned, type Sink, sink } from './scan.ts';

const blank = /[ \t\n\r\f]+/uy;
const symbol = /\\<\^?[A-Za-z][A-Za-z0-9_']*>/uy;
const letter = String.raw`(?:[A-Za-z]|\\<(?!lambda>|open>|close>|comment>|proof>)(?:[A-Za-z]{1,2}|[a-z]{2,8})>)`;
const part = String.raw`(?:\\<\^sub>)?(?:${letter}|[0-9_'])`;
const longName = new RegExp(
  String.raw`[?']?${letter}(?:${part})*(?:\.${letter}(?:${part})*)*`,
  'uy',
);
const number = /[0-9]+/uy;
const dots = /\.+/uy;
const documentWords = new Set(
  'text txt text_raw chapter section subsection subsubsection paragraph subparagraph \\<comment> \\<^cancel> \\<^latex>'.split(
    ' ',
  ),
);
/** Attributes that only tune search and may be set in place. */
const harmless = new Set(
  'simp_depth_limit linarith_split_limit blast_depth_limit smt_timeout simp_trace unify_search_bound show_types'.split(
    ' ',
  ),
);

const MAX_ATTRIBUTES = 500;

type State = Sink & { readonly text: string; at: number; last: string };

function add(state: State, kind: string, end: number, token: string | null): void {
  state.spans.push({ kind, at: state.at, end });
  if (token !== null) {
    state.tokens.push({ text: token, at: state.at });
    state.last = token;
  }
  state.at = end;
}

function comment(state: State): boolean {
  if (!state.text.startsWith('(*', state.at)) return false;
  const { end, closed } = nestedEnd(state.text, state.at, ['(*', '*)']);
  if (!closed) state.error ??= 'a comment that does not end';
  state.comments.push({ text: state.text.slice(state.at, end), at: state.at });
  add(state, 'comment', end, null);
  return true;
}

/** ML inside document text runs; nothing else of it does. */
const documentMl = /@\{\s*ML\w*|\\<\^(?:ML|ML_\w+|verbatim_ML)>/gu;
const word = /[A-Za-z][A-Za-z0-9_']*/gu;

/** Words of a cartouche that carries code, each marked, since only the rules about ML look inside. */
function innerTokens(state: State, from: number, to: number): void {
  const inner = state.text.slice(from, to);
  for (const { 0: text, index } of inner.matchAll(word))
    state.tokens.push({ text: `@${text}`, at: from + index });
}

function cartouche(state: State): boolean {
  const open = '\\<open>';
  if (!state.text.startsWith(open, state.at)) return false;
  const { end, closed } = nestedEnd(state.text, state.at, [open, '\\<close>']);
  if (!closed) state.error ??= 'a cartouche that does not end';
  const [from, isDocument] = [state.at, documentWords.has(state.last)];
  add(state, 'cartouche', end, '\\<open>');
  if (!isDocument) innerTokens(state, from + open.length, end);
  else
    for (const { index } of state.text.slice(from, end).matchAll(documentMl))
      state.tokens.push({ text: '@ML', at: from + index });
  return true;
}

/** A quoted text: an escape is the quote, a backslash or three digits; the backslash of a symbol is none. */
function quoted(state: State): boolean {
  const quote = state.text[state.at];
  if (quote !== '"' && quote !== '`') return false;
  let at = state.at + 1;
  while (at < state.text.length && state.text[at] !== quote) {
    if (state.text[at] === '\\' && state.text[at + 1] !== '<') {
      const isKnown =
        state.text[at + 1] === quote || /^\\(?:\\|\d{3})/u.test(state.text.slice(at, at + 4));
      if (!isKnown) state.error ??= 'an escape that Isabelle does not know';
      at += 1;
    }
    at += 1;
  }
  if (at >= state.text.length) state.error ??= 'a string that does not end';
  add(state, 'string', Math.min(state.text.length, at + 1), '""');
  return true;
}

function attributes(state: State, start: number): void {
  // A longer list is read in part, and what is left out counts as a name off the list.
  const shown = state.text.slice(start + 2, start + 2 + MAX_ATTRIBUTES);
  const close = shown.indexOf(']]');
  const inner = close === -1 ? '' : shown.slice(0, close);
  const names = inner.split(',').map((one) => /[A-Za-z_.]+/u.exec(one)?.[0] ?? '');
  if (names.some((name) => !harmless.has(name)))
    state.tokens.push({ text: '[[other]]', at: start });
}

function plain(state: State): void {
  const { text, at } = state;
  const piece =
    pieceAt(longName, text, at) ??
    pieceAt(symbol, text, at) ??
    pieceAt(number, text, at) ??
    pieceAt(dots, text, at);
  if (text.startsWith('[[', at)) attributes(state, at);
  if (text.startsWith('{*', at)) state.tokens.push({ text: '{*', at });
  const length = (piece?.length ?? (text.codePointAt(at) ?? 0) > 0xffff) ? (piece?.length ?? 2) : 1;
  add(state, 'token', at + length, text.slice(at, at + length));
}

/**
 * Isabelle's outer syntax: symbols, nested comments, raw balanced cartouches, strings. Nothing is special inside a comment.
 * Words of cartouches that may hold ML come as `@word`. Source: contracts.md 8.3, after the Isar reference manual.
 */
export function scanIsabelle(text: string): Scanned {
  const state: State = { ...sink(), text, at: 0, last: '' };
  while (state.at < text.length) {
    const space = pieceAt(blank, text, state.at);
    if (space !== null) state.at += space.length;
    else if (!comment(state) && !cartouche(state) && !quoted(state)) plain(state);
  }
  return state;
}
