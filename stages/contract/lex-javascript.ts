import { endOfQuote, type Lexed, type Span, type Token, unescaped } from './lexer.ts';

const blank = /[\s\ufeff]+/uy;
const comment = /\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?(?:\*\/|$)/uy;
const name =
  /#?(?:[\p{ID_Start}$_]|\\u)(?:[\p{ID_Continue}$\u200c\u200d]|\\u(?:\{[0-9a-f]+\}|[0-9a-f]{4}))*(?:\{[0-9a-f]+\})?/iuy;
const number = /\.?\d[\w.]*/uy;
const regex = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/uy;
const punctuator = /===|!==|==|!=|=>|<=|>=|\?\.(?!\d)|\.\.\.|[^\s]/uy;

const beforeRegex = new Set(
  'return typeof case in of delete void throw new instanceof else do yield'.split(' '),
);
const headWords = new Set(['if', 'while', 'for', 'with']);

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

type State = {
  readonly text: string;
  readonly tokens: Token[];
  readonly comments: Token[];
  readonly spans: Span[];
  /** What stood before each open parenthesis, to tell `if (x) /re/` from `f(x) / 2`. */
  readonly parens: string[];
  /** Depth of braces at which each open template goes on. */
  readonly templates: number[];
  braces: number;
  closedHead: boolean;
  at: number;
};

/** The slash of `</b>` or `<b c={1}/>`, which opens no pattern. */
const isTagSlash = (text: string, at: number, last: string | undefined) =>
  text[at - 1] === '<' || (last === '}' && text[at + 1] === '>');

function isRegexPlace({ text, at, tokens, closedHead }: State): boolean {
  const last = tokens.at(-1)?.text;
  if (isTagSlash(text, at, last)) return false;
  if (last === undefined || beforeRegex.has(last)) return true;
  if (last === ')') return closedHead;
  return last !== ']' && !/^["\w$\p{L}#]/u.test(last);
}

function push(state: State, text: string, length: number, kind = 'token'): void {
  state.tokens.push({ text, at: state.at });
  state.spans.push({ kind, at: state.at, end: state.at + length });
  state.at += length;
}

/** The string part of a template, up to its end or its next substitution. */
function templatePart(state: State): void {
  const { text } = state;
  let at = state.at;
  while (at < text.length && text[at] !== '`' && !text.startsWith('${', at))
    at += text[at] === '\\' ? 2 : 1;
  // A backslash as the last sign of the file escapes nothing.
  at = Math.min(at, text.length);
  const opens = text.startsWith('${', at);
  if (opens) {
    state.templates.push(state.braces);
    state.braces += 1;
  }
  const start = state.at - 1;
  state.at = Math.min(text.length, at + (opens ? 2 : 1));
  state.spans.push({ kind: 'template', at: start, end: state.at });
  state.tokens.push({ text: opens ? '(' : '""', at });
}

function mark(state: State, sign: string): void {
  if (sign === '(') state.parens.push(state.tokens.at(-1)?.text ?? '');
  if (sign === ')') state.closedHead = headWords.has(state.parens.pop() ?? '');
  if (sign === '{') state.braces += 1;
  if (sign !== '}') return;
  state.braces -= 1;
  if (state.templates.at(-1) !== state.braces) return;
  state.templates.pop();
  state.tokens.push({ text: ')', at: state.at });
  state.at += 1;
  templatePart(state);
}

function punctuation(state: State): void {
  const sign = matchAt(punctuator, state.text, state.at) ?? ' ';
  if (sign === '`') {
    state.at += 1;
    templatePart(state);
    return;
  }
  const before = state.at;
  mark(state, sign);
  if (state.at === before) push(state, sign === '?.' ? '.' : sign, sign.length);
}

/** One step over what carries no structure: blanks, comments, strings, regular expressions. */
function quiet(state: State): boolean {
  const { text, at } = state;
  const space = matchAt(blank, text, at);
  const note = space === null ? matchAt(comment, text, at) : null;
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
    `"${unescaped(text.slice(at + 1, text[end - 1] === quote ? end - 1 : end))}"`,
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
  const pattern = digits === null && isRegexPlace(state) ? matchAt(regex, text, at) : null;
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
    parens: [],
    templates: [],
    braces: 0,
    closedHead: false,
    at: 0,
  };
  while (state.at < text.length) {
    if (!quiet(state) && !word(state)) punctuation(state);
  }
  return state;
}
