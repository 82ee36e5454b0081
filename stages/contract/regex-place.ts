import type { Token } from './lexer.ts';

/** What a slash needs to know of the text before it: what the parentheses and braces that just closed were. */
export type Place = {
  readonly parens: ('head' | 'function' | 'for' | 'other')[];
  readonly braces: boolean[];
  /** What closed last: the head of a statement, the parameters of a function that is a value, or anything else. */
  closedParen: 'head' | 'function' | 'for' | 'other';
  /** Whether the brace that closed last ended a value: an object or a function in the place of one. */
  closedValue: boolean;
};

export const freshPlace = (): Place => ({
  parens: [],
  braces: [],
  closedParen: 'other',
  closedValue: false,
});

const words = (text: string) => new Set(text.split(' '));
const beforeRegex = words(
  'return typeof case in of delete void throw new instanceof else do yield',
);
const headWords = words('if while with for');
const beforeBlock = words('; { } ) => else do try finally static');

const isWordOrValue = (text: string) => /^["\w$\p{L}#)\]]/u.test(text);

/** A keyword, and no member that is called like one. */
const isKeyword = (tokens: readonly Token[], at: number, list: ReadonlySet<string>) =>
  list.has(tokens.at(at)?.text ?? '') && tokens.at(at - 1)?.text !== '.';

/** Whether a value may begin right after a token, counted from the end. */
function isValuePlace(tokens: readonly Token[], at: number): boolean {
  const text = tokens.at(at)?.text;
  if (text === undefined || beforeBlock.has(text)) return false;
  return isKeyword(tokens, at, beforeRegex) || !isWordOrValue(text);
}

/** Whether the parenthesis that opens now begins the parameters of a function that is a value. */
function isFunctionValue(tokens: readonly Token[]): boolean {
  let at = -1;
  while (at > -4 && tokens.at(at) !== undefined && tokens.at(at)?.text !== 'function') at -= 1;
  if (tokens.at(at)?.text !== 'function') return false;
  const before = tokens.at(at - 1)?.text === 'async' ? at - 2 : at - 1;
  return isValuePlace(tokens, before);
}

function parenKind(tokens: readonly Token[]): Place['closedParen'] {
  const last = tokens.at(-1)?.text === 'await' ? -2 : -1;
  if (isKeyword(tokens, last, headWords)) return tokens.at(last)?.text === 'for' ? 'for' : 'head';
  return isFunctionValue(tokens) ? 'function' : 'other';
}

/** Notes a parenthesis before its token is pushed. */
export function atParenthesis(place: Place, tokens: readonly Token[], sign: string): void {
  if (sign === '(') place.parens.push(parenKind(tokens));
  if (sign === ')') place.closedParen = place.parens.pop() ?? 'other';
}

/** Notes a brace before its token is pushed. */
export function atBrace(place: Place, tokens: readonly Token[], sign: string): void {
  const isFunction = tokens.at(-1)?.text === ')' && place.closedParen === 'function';
  if (sign === '{') place.braces.push(isFunction || isValuePlace(tokens, -1));
  if (sign === '}') place.closedValue = place.braces.pop() ?? false;
}

/** `x++ / 2` and `x! / 2`: a sign after a value, glued to it. */
function isPostfix(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  if (last === undefined) return false;
  let run = 1;
  while (tokens.at(-1 - run)?.text === last.text && tokens.at(-1 - run)?.at === last.at - run)
    run += 1;
  const value = tokens.at(-1 - run);
  const isValue =
    value !== undefined && isWordOrValue(value.text) && !isKeyword(tokens, -1 - run, beforeRegex);
  if (last.text === '!') return isValue && value.at + value.text.length === last.at - run + 1;
  return isValue && run === 2;
}

/** The slash of `</b>` or `<b c={1}/>`, which opens no pattern. */
const isTagSlash = (text: string, at: number, last: string | undefined) =>
  text[at - 1] === '<' || (last === '}' && text[at + 1] === '>');

type Reader = { readonly text: string; readonly at: number; readonly tokens: readonly Token[] };

/** Whether a slash begins a pattern here and is no division. */
export function isRegexPlace(place: Place, { text, at, tokens }: Reader): boolean {
  const last = tokens.at(-1)?.text;
  if (isTagSlash(text, at, last)) return false;
  if (last === 'of') return place.parens.at(-1) === 'for' && tokens.at(-2)?.text !== '.';
  if (last === undefined || isKeyword(tokens, -1, beforeRegex)) return true;
  if (last === ')') return place.closedParen === 'head' || place.closedParen === 'for';
  if (last === '}') return !place.closedValue;
  if (last === '+' || last === '-' || last === '!') return !isPostfix(tokens);
  return !isWordOrValue(last);
}
