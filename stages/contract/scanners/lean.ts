import type { Token } from '../lexer.ts';
import { nestedEnd, pieceAt, type Scanned, type Sink, sink, withMarks } from './scan.ts';

const blank = /\s+/uy;
const line = /--[^\n]*/uy;
/** Letters that names may hold next to Latin ones; λ, Π and Σ are none, so that `λsorry` is two tokens. */
const other =
  '\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u017F\\u0391-\\u039F\\u03A1\\u03A2\\u03A4-\\u03A9\\u03B1-\\u03BA\\u03BC-\\u03FB\\u1F00-\\u1FFE\\u2100-\\u214F\\u{1D49C}-\\u{1D59F}';
const first = `[A-Za-z_${other}]`;
const rest = `[A-Za-z0-9_'!?${other}\\u2080-\\u2089\\u2090-\\u209C\\u1D62-\\u1D6A\\u2C7C]`;
const part = `(?:${first}${rest}*|«[^»\\n]*»)`;
const name = new RegExp(`${part}(?:\\.${part})*`, 'uy');
const hashCommand = /#[A-Za-z_][A-Za-z0-9_]*!?/uy;
const number =
  /0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/uy;
const character = /'(?:\\(?:x[0-9a-f]{2}|u\{?[0-9a-f]{1,6}\}?|[^xu])|[^'\\\n])'/iuy;
const raw = /r(#*)"/uy;
const attribute = /@\[/uy;
const patterns = [name, hashCommand, number, character, attribute];

type Piece = { readonly text: string; readonly at: number; readonly end: number };

type State = Omit<Sink, 'tokens'> & {
  readonly text: string;
  readonly tokens: Piece[];
  readonly marks: Token[];
  /** Braces that are open in each field of an interpolated string around this place. */
  readonly fields: number[];
  at: number;
};

function add(state: State, kind: string, end: number, token: string): void {
  state.spans.push({ kind, at: state.at, end });
  state.tokens.push({ text: token, at: state.at, end });
  state.at = end;
}

function comment(state: State): boolean {
  const { text, at } = state;
  const short = pieceAt(line, text, at);
  if (short === null && !text.startsWith('/-', at)) return false;
  const { end, closed } =
    short === null ? nestedEnd(text, at, ['/-', '-/']) : { end: at + short.length, closed: true };
  if (!closed) state.error ??= 'a comment that does not end';
  state.comments.push({ text: text.slice(at, end), at });
  state.spans.push({ kind: 'comment', at, end });
  state.at = end;
  return true;
}

function rawString(state: State): boolean {
  const { text, at } = state;
  const opened = pieceAt(raw, text, at);
  if (opened === null) return false;
  const closing = `"${'#'.repeat(opened.length - 2)}`;
  const end = text.indexOf(closing, at + opened.length);
  if (end === -1) state.error ??= 'a string that does not end';
  add(state, 'string', end === -1 ? text.length : end + closing.length, '""');
  return true;
}

/** Macros whose string may hold code in braces. */
const interpolating = new Set(
  's! m! f! println! panic! dbg_trace throwError logInfo logWarning logError'.split(' '),
);
const fieldWord = new RegExp(name.source, 'gu');

/** Words in braces of a string that is read as plain text: a macro of the file may still read them as code. */
function bracedWords(state: State, from: number, to: number): void {
  for (const { 0: field, index } of state.text.slice(from, to).matchAll(/\{[^{}]*\}/gu))
    for (const { 0: text, index: at } of field.matchAll(fieldWord))
      state.marks.push({ text, at: from + index + at });
}

/** Text of a string from here to its end, or to the brace where code begins. */
function stringText(state: State, from: number, isInterpolated: boolean): void {
  const { text, at } = state;
  let end = from;
  while (end < text.length && text[end] !== '"' && !(isInterpolated && text[end] === '{'))
    end += text[end] === '\\' ? 2 : 1;
  if (end >= text.length) state.error ??= 'a string that does not end';
  if (text[end] === '{') state.fields.push(0);
  add(state, 'string', Math.min(text.length, end + 1), '""');
  if (!isInterpolated) bracedWords(state, at, state.at);
}

function string(state: State): boolean {
  const { text, at, fields } = state;
  const depth = fields.at(-1);
  if (text[at] === '}' && depth === 0) {
    fields.pop();
    stringText(state, at + 1, true);
    return true;
  }
  if (text[at] !== '"') return false;
  stringText(state, at + 1, interpolating.has(state.tokens.at(-1)?.text ?? ''));
  return true;
}

/** Parts of a name that a whole-token comparison misses: `^.` before one that others follow, `^` before the last. */
function nameMarks(text: string, at: number): Token[] {
  if (!/[.«]/u.test(text)) return [];
  const parts = text.match(/«[^»]*»|[^.«»]+/gu) ?? [];
  return parts.flatMap((one, index) => [
    { text: index === parts.length - 1 ? '^' : '^.', at },
    { text: one.replace(/[«»]/gu, ''), at },
  ]);
}

function plain(state: State): void {
  const { text, at, fields } = state;
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  const piece = patterns.map((pattern) => pieceAt(pattern, text, at)).find((one) => one !== null);
  const depth = fields.length - 1;
  if (depth >= 0 && (sign === '{' || sign === '}'))
    fields[depth] = (fields[depth] ?? 0) + (sign === '{' ? 1 : -1);
  state.marks.push(...nameMarks(piece ?? sign, at));
  add(state, 'token', at + (piece ?? sign).length, piece ?? sign);
}

/** The tokens of a text with their ends, and what only its strings and dotted names give away. */
export function lexLean(text: string) {
  const state: State = { ...sink(), tokens: [], marks: [], fields: [], text, at: 0 };
  while (state.at < text.length) {
    const space = pieceAt(blank, text, state.at);
    if (space !== null) state.at += space.length;
    else if (!comment(state) && !rawString(state) && !string(state)) plain(state);
  }
  if (state.fields.length > 0) state.error ??= 'a string that does not end';
  return state;
}

/** Lean 4: nested comments, raw and interpolated strings, guillemets around names. Source: contracts.md 8.4. */
export function scanLean(text: string): Scanned {
  const { tokens, marks, comments, spans, error } = lexLean(text);
  return { tokens: withMarks(tokens, marks), comments, spans, error };
}
