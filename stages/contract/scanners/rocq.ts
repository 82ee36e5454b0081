import type { Token } from '../lexer.ts';
import { nestedEnd, pieceAt, type Scanned, type Sink, sink, withMarks } from './scan.ts';

const blank = /[ \t\n\r\f\v]+/uy;
const part = String.raw`[\p{ID_Start}_][\p{ID_Continue}\u2080-\u2089']*`;
const name = new RegExp(`${part}(?:\\.${part})*`, 'uy');
const number = /[0-9]+/uy;
const bullet = /(?:-+|\++|\*+)/uy;

/**
 * One sentence of Rocq. `first` is its first token, selectors left out; bullets and braces stand alone. `rest` are its words from
 * there on, for a sentence of the vernacular without attributes and prefixes such as `Local` or `Time`.
 */
export type Sentence = {
  readonly at: number;
  readonly end: number;
  readonly first: string;
  readonly rest: readonly string[];
};

type State = Sink & {
  readonly text: string;
  readonly sentences: Sentence[];
  readonly marks: Token[];
  at: number;
  /** Tokens of the sentence that is being read, and where it began. */
  words: string[];
  start: number;
};

/** The end of a string; a doubled quote is a quote. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    if (text[at] !== '"') at += 1;
    else if (text[at + 1] === '"') at += 2;
    else return at + 1;
  }
  return text.length + 1;
}

function comment(state: State): boolean {
  const { text, at } = state;
  if (!text.startsWith('(*', at)) return false;
  const skip = (from: number) => (text[from] === '"' ? stringEnd(text, from) : from);
  const { end, closed } = nestedEnd(text, at, ['(*', '*)'], skip);
  const to = Math.min(end, text.length);
  if (!closed) state.error ??= 'a comment that does not end';
  state.comments.push({ text: text.slice(at, to), at });
  state.spans.push({ kind: 'comment', at, end: to });
  state.at = to;
  return true;
}

const MAX_SELECTOR = 40;

/** How many words choose the goal of a tactic: `1:`, `all:`, `1,3-4:`, `[x]:`, `!:`. */
function selected(words: readonly string[]): number {
  const colon = words.slice(0, MAX_SELECTOR + 1).indexOf(':');
  if (colon < 1 || words[colon + 1] === '=') return 0;
  const head = words.slice(0, colon);
  const isNamed = head.length === 3 && head[0] === '[' && head[2] === ']';
  const isSelector = isNamed || head.every((one) => /^(?:\d+|[,\-!]|all|par)$/u.test(one));
  return isSelector ? colon + 1 : 0;
}

const prefixes = new Set(
  'Local Global Program Polymorphic Monomorphic Cumulative NonCumulative Private Time Fail Succeed Instructions Timeout Redirect'.split(
    ' ',
  ),
);

/** How many words a prefix takes at a place; an attribute list that never closes takes them all, and 0 is no prefix. */
function prefixLength(words: readonly string[], at: number): number {
  const word = words[at] ?? '';
  if (word === '#' && words[at + 1] === '[') {
    const end = words.indexOf(']', at);
    return end === -1 ? words.length - at : end + 1 - at;
  }
  if (!prefixes.has(word)) return 0;
  return word === 'Timeout' || word === 'Redirect' ? 2 : 1;
}

/** Words that stand before the name of a vernacular sentence: attributes, prefixes and what these take. */
function prefixed(words: readonly string[]): number {
  let at = 0;
  while (at < words.length) {
    const length = prefixLength(words, at);
    if (length === 0) break;
    at += length;
  }
  return at;
}

const MAX_ECHO = 8;

/**
 * Marks of a vernacular sentence: `^` and its first words, so that a rule can tell a command from a name in a term, and the same
 * for each prefix.
 */
function vernacularMarks({ first, rest }: Sentence, words: readonly string[], at: number): Token[] {
  if (!/^[\p{Lu}#]/u.test(first)) return [];
  const marks = (list: readonly string[]) =>
    ['^', ...list, ''].map((text): Token => ({ text, at }));
  const before = words.slice(0, words.length - rest.length).filter((word) => prefixes.has(word));
  return [...before.flatMap((word) => marks([word])), ...marks(rest.slice(0, MAX_ECHO))];
}

function close(state: State, end: number): void {
  const { words, start } = state;
  state.words = [];
  if (words.length === 0) return;
  const past = selected(words);
  const sentence = {
    at: start,
    end,
    first: words[past] ?? '',
    rest: words.slice(past + prefixed(words.slice(past))),
  };
  state.sentences.push(sentence);
  state.marks.push(...vernacularMarks(sentence, words, start));
}

function add(state: State, kind: string, token: string, length: number): void {
  if (state.words.length === 0) state.start = state.at;
  state.words.push(token);
  state.tokens.push({ text: token, at: state.at });
  state.spans.push({ kind, at: state.at, end: state.at + length });
  state.at += length;
}

/** A full stop ends a sentence where a blank or the end follows; so does an ellipsis. */
const isStop = ({ text, at }: State) =>
  text[at] === '.' && /^\.(?:\.\.)?(?:[ \t\n\r]|$)/u.test(text.slice(at, at + 4));

/** A bullet or a brace is a sentence of its own, a brace also after the choice of a goal. */
function standsAlone({ text, at, words }: State): string | null {
  if (/^[{}]/u.test(text[at] ?? ''))
    return words.length === 0 || (text[at] === '{' && selected(words) === words.length)
      ? (text[at] ?? null)
      : null;
  return words.length === 0 ? pieceAt(bullet, text, at) : null;
}

function plain(state: State): void {
  const { text, at } = state;
  const alone = standsAlone(state);
  if (alone !== null) {
    add(state, 'token', alone, alone.length);
    close(state, state.at);
    return;
  }
  if (isStop(state)) {
    const length = text.startsWith('...', at) ? 3 : 1;
    add(state, 'stop', '.', length);
    close(state, state.at);
    return;
  }
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0x20);
  const piece = pieceAt(name, text, at) ?? pieceAt(number, text, at) ?? sign;
  add(state, 'token', piece, piece.length);
}

/**
 * Rocq's vernacular: comments nest and strings inside them are read as strings, the opposite of Isabelle; a sentence ends at a
 * full stop before a blank. Source: contracts.md 8.4.
 */
export function scanRocq(text: string): Scanned & { readonly sentences: readonly Sentence[] } {
  const state: State = { ...sink(), text, sentences: [], marks: [], at: 0, words: [], start: 0 };
  while (state.at < text.length) {
    const space = pieceAt(blank, text, state.at);
    if (space !== null) state.at += space.length;
    else if (comment(state)) continue;
    else if (text[state.at] === '"') {
      const end = stringEnd(text, state.at);
      if (end > text.length) state.error ??= 'a string that does not end';
      add(state, 'string', '""', Math.min(end, text.length) - state.at);
    } else plain(state);
  }
  close(state, text.length);
  const { tokens, marks, comments, spans, error, sentences } = state;
  return { tokens: withMarks(tokens, marks), comments, spans, error, sentences };
}
