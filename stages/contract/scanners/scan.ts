import type { Lexed, Span, Token } from '../lexer.ts';

/** What a scanner of a prover or of a C-like language finds: pieces, tokens for rules, comments, and what cannot be read. */
export type Scanned = Lexed & { readonly error: string | null };

/** Pieces that a scanner collects on its way through a text. */
export type Sink = {
  readonly tokens: { text: string; at: number }[];
  readonly comments: { text: string; at: number }[];
  readonly spans: Span[];
  error: string | null;
};

export const sink = (): Sink => ({ tokens: [], comments: [], spans: [], error: null });

/** Tokens and then marks, apart from each other, so that no rule's row runs from one into the other. */
export const withMarks = (tokens: readonly Token[], marks: readonly Token[]): readonly Token[] =>
  marks.length === 0 ? tokens : [...tokens, { text: '', at: 0 }, ...marks];

/** The piece that a sticky pattern finds at a place, or null. */
export function pieceAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/**
 * The end of a comment that nests, counted by its two signs. `skip` passes over what hides them (a string in Rocq).
 * Unterminated: the end of the text and `closed: false`.
 */
export function nestedEnd(
  text: string,
  from: number,
  signs: readonly [string, string],
  skip: (at: number) => number = (at) => at,
): { readonly end: number; readonly closed: boolean } {
  const [open, close] = signs;
  let depth = 1;
  let at = from + open.length;
  while (at < text.length) {
    if (text.startsWith(close, at)) {
      at += close.length;
      depth -= 1;
      if (depth === 0) return { end: at, closed: true };
    } else if (text.startsWith(open, at)) {
      at += open.length;
      depth += 1;
    } else {
      const past = skip(at);
      at = past > at ? past : at + 1;
    }
  }
  return { end: text.length, closed: false };
}
