import { cooked, endOfQuote, type Lexed, type Span, type Token, unescaped } from './lexer.ts';
import { atBrace, atParenthesis, freshPlace, isRegexPlace, type Place } from './regex-place.ts';

const blank = /[\s\ufeff]+/uy;
const comment = /\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$)/uy;
const hashbang = /#![^\n\r\u2028\u2029]*/uy;
const name =
  /#?(?:[\p{ID_Start}$_]|\\u)(?:[\p{ID_Continue}$\u200c\u200d]|\\u(?:\{[0-9a-f]+\}|[0-9a-f]{4}))*(?:\{[0-9a-f]+\})?/iuy;
const number = /\.?\d[\w.]*/uy;
const regex =
  /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n\r\u2028\u2029])*\]|[^/\\[\n\r\u2028\u2029])+\/[a-z]*/uy;
const punctuator = /===|!==|==|!=|=>|<=|>=|\?\.(?!\d)|\.\.\.|[^\s]/uy;

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

type State = {
  readonly text: string;
  readonly tokens: Token[];
  readonly comments: Token[];
  readonly spans: Span[];
  readonly place: Place;
  /** Depth of braces at which each open template goes on, and whether a tag may run its text. */
  readonly templates: { readonly braces: number; readonly isCode: boolean }[];
  braces: number;
  at: number;
};

function push(state: State, text: string, length: number, kind = 'token'): void {
  state.tokens.push({ text, at: state.at });
  state.spans.push({ kind, at: state.at, end: state.at + length });
  state.at += length;
}

/** Whether a template right after a place has a tag before it, which may run what it holds. */
const tag = /^[\p{L}_$)\]]/u;
const noTag = new Set(
  'return typeof case in of delete void throw new else do yield await'.split(' '),
);

function isTagged(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1)?.text ?? '';
  return tag.test(last) && (!noTag.has(last) || tokens.at(-2)?.text === '.');
}

/** The string part of a template, up to its end or its next substitution. */
function templatePart(state: State, isCode: boolean): void {
  const { text, tokens } = state;
  let at = state.at;
  while (at < text.length && text[at] !== '`' && !text.startsWith('${', at))
    at += text[at] === '\\' ? 2 : 1;
  // A backslash as the last sign of the file escapes nothing.
  at = Math.min(at, text.length);
  const opens = text.startsWith('${', at);
  if (opens) {
    state.templates.push({ braces: state.braces, isCode });
    state.place.braces.push(true);
    state.braces += 1;
  }
  const start = state.at - 1;
  const content = cooked(text.slice(state.at, at));
  if (!opens || isCode)
    tokens.push({ text: `"${content}"`, at: start, ...(isCode ? { isCode } : {}) });
  if (opens) tokens.push({ text: '(', at });
  state.at = Math.min(text.length, at + (opens ? 2 : 1));
  state.spans.push({ kind: 'template', at: start, end: state.at });
}

function mark(state: State, sign: string): void {
  atParenthesis(state.place, state.tokens, sign);
  atBrace(state.place, state.tokens, sign);
  if (sign === '{') state.braces += 1;
  if (sign !== '}') return;
  state.braces -= 1;
  const template = state.templates.at(-1);
  if (template?.braces !== state.braces) return;
  state.templates.pop();
  state.tokens.push({ text: ')', at: state.at });
  state.at += 1;
  templatePart(state, template.isCode);
}

function punctuation(state: State): void {
  const sign = matchAt(punctuator, state.text, state.at) ?? ' ';
  if (sign === '`') {
    state.at += 1;
    templatePart(state, isTagged(state.tokens));
    return;
  }
  const before = state.at;
  mark(state, sign);
  if (state.at === before) push(state, sign === '?.' ? '.' : sign, sign.length);
}

const noteAt = (text: string, at: number) =>
  (at === 0 ? matchAt(hashbang, text, at) : null) ?? matchAt(comment, text, at);

/** One step over what carries no structure: blanks, comments, strings, regular expressions. */
function quiet(state: State): boolean {
  const { text, at } = state;
  const space = matchAt(blank, text, at);
  const note = space === null ? noteAt(text, at) : null;
  if (note !== null) {
    state.comments.push({ text: note, at });
    state.spans.push({ kind: 'comment', at, end: at + note.length });
  }
  const skipped = space ?? note;
  if (skipped !== null) {
    state.at += skipped.length;
    return true;
  }
  const quote = text[at];
  if (quote !== '"' && quote !== "'") return false;
  const end = endOfQuote(text, at + 1, quote, false);
  push(
    state,
    `"${cooked(text.slice(at + 1, text[end - 1] === quote ? end - 1 : end))}"`,
    end - at,
    'string',
  );
  return true;
}

function word(state: State): boolean {
  const { text, at } = state;
  const identifier = matchAt(name, text, at);
  if (identifier !== null) {
    push(state, unescaped(identifier), identifier.length);
    return true;
  }
  const digits = matchAt(number, text, at);
  const mayBegin = digits === null && text[at] === '/';
  const pattern = mayBegin && isRegexPlace(state.place, state) ? matchAt(regex, text, at) : null;
  const length = (digits ?? pattern)?.length;
  if (length === undefined) return false;
  push(state, digits === null ? '""' : '0', length, digits === null ? 'regex' : 'number');
  return true;
}

/** Tokens of TypeScript or JavaScript. Substitutions of templates are code and stay, between parentheses. */
export function lexJavascript(text: string): Lexed {
  const state: State = {
    text,
    tokens: [],
    comments: [],
    spans: [],
    place: freshPlace(),
    templates: [],
    braces: 0,
    at: 0,
  };
  while (state.at < text.length) {
    if (!quiet(state) && !word(state)) punctuation(state);
  }
  return state;
}

const anySign = new RegExp(punctuator, 'gu');

/** Signs as this lexer parts them; `?.` is a dot. */
export const signsOf = (text: string): string[] =>
  text.length === 1 && text.trim() !== ''
    ? [text]
    : [...text.matchAll(anySign)].map(([sign]) => (sign === '?.' ? '.' : sign));
