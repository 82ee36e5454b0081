import { nestedEnd, pieceAt, type Scanned, type Sink, sink } from './scan.ts';

const blank = /[ \t\n\r\f\v]+/uy;
const name = /[\p{ID_Start}_][\p{ID_Continue}']*(?:\.[\p{ID_Start}_][\p{ID_Continue}']*)*/uy;
const number = /[0-9]+/uy;
const bullet = /(?:-+|\++|\*+)/uy;

/** One sentence of Rocq. `first` is its first token, selectors left out; bullets and braces stand alone. */
export type Sentence = {
  readonly at: number;
  readonly end: number;
  readonly first: string;
  readonly words: readonly string[];
};

type State = Sink & {
  readonly text: string;
  readonly sentences: Sentence[];
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

const selector = /^(?:\d+|all|par|!)$/u;

function firstOf(words: readonly string[]): string {
  const colon = words.indexOf(':');
  const isSelected =
    colon > 0 &&
    selector.test(words[0] ?? '') &&
    words.slice(0, colon).every((one) => /^[\d,\-!]|^all$|^par$/u.test(one));
  return (isSelected ? words[colon + 1] : words[0]) ?? '';
}

function close(state: State, end: number): void {
  const { words, start } = state;
  if (words.length > 0) state.sentences.push({ at: start, end, first: firstOf(words), words });
  state.words = [];
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
  text[at] === '.' && /^\.(?:\.\.)?(?:\s|$)/u.test(text.slice(at, at + 4));

function plain(state: State): void {
  const { text, at } = state;
  if (state.words.length === 0) {
    const alone = /^[{}]/u.test(text[at] ?? '') ? (text[at] ?? null) : pieceAt(bullet, text, at);
    if (alone !== null) {
      add(state, 'token', alone, alone.length);
      close(state, state.at);
      return;
    }
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
  const state: State = { ...sink(), text, sentences: [], at: 0, words: [], start: 0 };
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
  if (state.words.length > 0)
    state.sentences.push({
      at: state.start,
      end: text.length,
      first: firstOf(state.words),
      words: state.words,
    });
  return state;
}
