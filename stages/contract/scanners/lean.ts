import { endOfQuote } from '../lexer.ts';
import { nestedEnd, pieceAt, type Scanned, type Sink, sink } from './scan.ts';

const blank = /\s+/uy;
const line = /--[^\n]*/uy;
const quotedName = /«[^»\n]*»/uy;
const name = /[\p{L}_][\p{L}\p{N}_'!?]*(?:\.[\p{L}_«][\p{L}\p{N}_'!?»]*)*/uy;
const hashCommand = /#[a-z_]+/uy;
const number = /\d[\w.]*/uy;
const character = /'(?:\\(?:x[0-9a-f]{2}|u\{?[0-9a-f]{4,6}\}?|.)|[^'\\\n])'/iuy;
const raw = /r(#*)"/uy;

type State = Sink & { readonly text: string; at: number };

function add(state: State, kind: string, end: number, token: string): void {
  state.spans.push({ kind, at: state.at, end });
  state.tokens.push({ text: token, at: state.at });
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

/** Words of the fields of an interpolated string, which are code. */
function fieldTokens(state: State, from: number, to: number): void {
  for (const { 0: field, index } of state.text.slice(from, to).matchAll(/\{[^{}]*\}/gu))
    for (const { 0: text, index: at } of field.matchAll(/[\p{L}_][\p{L}\p{N}_.]*/gu))
      state.tokens.push({ text, at: from + index + at });
}

function string(state: State): boolean {
  const { text, at } = state;
  if (text[at] !== '"') return false;
  const end = endOfQuote(text, at + 1, '"', true);
  if (text[end - 1] !== '"' || end === at + 1) state.error ??= 'a string that does not end';
  const isInterpolated = /[a-z]!$/u.test(text.slice(Math.max(0, at - 2), at));
  add(state, 'string', end, '""');
  if (isInterpolated) fieldTokens(state, at, end);
  return true;
}

function plain(state: State): void {
  const { text, at } = state;
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  const patterns = [quotedName, name, hashCommand, number, character];
  const piece = patterns.map((pattern) => pieceAt(pattern, text, at)).find((one) => one !== null);
  add(state, 'token', at + (piece ?? sign).length, piece ?? sign);
}

/** Lean 4: nested comments, raw and interpolated strings, guillemets around names. Source: contracts.md 8.4. */
export function scanLean(text: string): Scanned {
  const state: State = { ...sink(), text, at: 0 };
  while (state.at < text.length) {
    const space = pieceAt(blank, text, state.at);
    if (space !== null) state.at += space.length;
    else if (!comment(state) && !rawString(state) && !string(state)) plain(state);
  }
  return state;
}
