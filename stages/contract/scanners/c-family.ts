import { endOfQuote } from '../lexer.ts';
import { nestedEnd, pieceAt, type Scanned, type Sink, sink } from './scan.ts';

/** What tells the languages with C's comments apart. */
export type Dialect = {
  readonly hasDirectives: boolean;
  readonly nestsComments: boolean;
  /** Quotes of strings that span lines and know no escape. */
  readonly raw: readonly string[];
  readonly tripleQuotes: boolean;
  /** `'` is a character, or may also begin a lifetime. */
  readonly lifetimes: boolean;
};

const blank = /\s+/uy;
const lineComment = /\/\/[^\n]*/uy;
const name = /(?:r#)?[\p{ID_Start}_$][\p{ID_Continue}$]*/uy;
const joint = String.raw`(?:(?:\\|\?\?/)\r?\n)*`;
/** A name in C may go on over joined lines; a trigraph stands for the backslash. */
const joinedName = new RegExp(`[A-Za-z_](?:${joint}\\w)*`, 'uy');
const number = /\.?\d[\w.']*/uy;
const lifetime = /'[A-Za-z_]\w*(?!')/uy;
const rawC = /R"([^()\\\s]{0,16})\(/uy;
const rawRust = /b?r(#*)"/uy;
const restOfLine = /(?:\\\r?\n|[^\n])*/uy;
const attribute = /#!?\[/uy;

type State = Sink & { readonly text: string; readonly dialect: Dialect; at: number };

function add(state: State, kind: string, end: number, token: string): void {
  const to = Math.min(end, state.text.length);
  state.spans.push({ kind, at: state.at, end: to });
  state.tokens.push({ text: token, at: state.at });
  state.at = to;
}

function comment(state: State): boolean {
  const { text, at, dialect } = state;
  const short = pieceAt(lineComment, text, at);
  if (short === null && !text.startsWith('/*', at)) return false;
  const close = text.indexOf('*/', at + 2);
  const flat = { end: close === -1 ? text.length : close + 2, closed: close !== -1 };
  const long = dialect.nestsComments ? nestedEnd(text, at, ['/*', '*/']) : flat;
  const { end, closed } = short === null ? long : { end: at + short.length, closed: true };
  if (!closed) state.error ??= 'a comment that does not end';
  state.comments.push({ text: text.slice(at, end), at });
  state.spans.push({ kind: 'comment', at, end });
  state.at = end;
  return true;
}

function closedBy(state: State, from: number, closing: string): boolean {
  const end = state.text.indexOf(closing, from);
  if (end === -1) state.error ??= 'a string that does not end';
  add(state, 'string', end === -1 ? state.text.length : end + closing.length, '""');
  return true;
}

function rawString(state: State): boolean {
  const { text, at, dialect } = state;
  const cpp = dialect.hasDirectives ? pieceAt(rawC, text, at) : null;
  if (cpp !== null) return closedBy(state, at + cpp.length, `)${cpp.slice(2, -1)}"`);
  const rust = dialect.lifetimes ? pieceAt(rawRust, text, at) : null;
  if (rust !== null)
    return closedBy(state, at + rust.length, `"${'#'.repeat(rust.replace(/[^#]/gu, '').length)}`);
  if (dialect.tripleQuotes && text.startsWith('"""', at)) return closedBy(state, at + 3, '"""');
  const sign = text[at] ?? '';
  return dialect.raw.includes(sign) ? closedBy(state, at + 1, sign) : false;
}

function quoted(state: State): boolean {
  const { text, at, dialect } = state;
  const quote = text[at] ?? '';
  if (quote !== '"' && quote !== "'") return false;
  const life = quote === "'" && dialect.lifetimes ? pieceAt(lifetime, text, at) : null;
  if (life !== null) add(state, 'token', at + life.length, life);
  else {
    const end = endOfQuote(text, at + 1, quote, dialect.lifetimes && quote === '"');
    add(state, 'string', end, `"${text.slice(at + 1, text[end - 1] === quote ? end - 1 : end)}"`);
  }
  return true;
}

function preprocessor(state: State): boolean {
  const { text, at, dialect } = state;
  const isSign = text[at] === '#' || text.startsWith('??=', at);
  if (!dialect.hasDirectives || !isSign) return false;
  const sign = text[at] === '#' ? '#' : '??=';
  const whole = sign + (pieceAt(restOfLine, text, at + sign.length) ?? '');
  add(state, 'directive', at + whole.length, `#${/^(?:#|\?\?=)\s*(\w*)/u.exec(whole)?.[1] ?? ''}`);
  return true;
}

function plain(state: State): void {
  const { text, at } = state;
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  const mark = state.dialect.lifetimes ? pieceAt(attribute, text, at) : null;
  const word = pieceAt(state.dialect.hasDirectives ? joinedName : name, text, at);
  const piece = mark ?? word ?? pieceAt(number, text, at) ?? sign;
  const token = mark === null ? (word?.replace(/^r#|(?:\\|\?\?\/)\r?\n/gu, '') ?? piece) : '#[';
  add(state, 'token', at + piece.length, token);
}

/** Go, Rust, Java, Kotlin, C and C++ as far as quotes, comments and directives decide what is code. Source: contracts.md 7, 8.1. */
export const scanCFamily =
  (dialect: Dialect) =>
  (text: string): Scanned => {
    const state: State = { ...sink(), text, dialect, at: 0 };
    while (state.at < text.length) {
      const space = pieceAt(blank, text, state.at);
      if (space !== null) state.at += space.length;
      else if (!comment(state) && !preprocessor(state) && !rawString(state) && !quoted(state))
        plain(state);
    }
    return state;
  };
