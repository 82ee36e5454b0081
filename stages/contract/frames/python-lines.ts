import type { Span } from '../lexer.ts';

/** One logical line: where it starts, how deep, and its first and last token. Offsets in UTF-16 units. */
export type LogicalLine = {
  readonly at: number;
  readonly column: number;
  readonly first: string;
  readonly last: string;
  /** The indentation stack once this line is read. */
  readonly stack: string;
};

export type Reading = {
  /** Pieces that are no comments. */
  readonly spans: readonly Span[];
  readonly lines: readonly LogicalLine[];
  /** Bracket depth before a place. */
  readonly depthAt: (unit: number) => number;
};

const TAB = 8;
const opens = new Set(['(', '[', '{']);
const closes = new Set([')', ']', '}']);

/** How deep a line's blanks reach; a form feed begins anew. */
export function columnOf(blank: string): number {
  let column = 0;
  for (const sign of blank) {
    if (sign === '\f') column = 0;
    else column = sign === '\t' ? (Math.floor(column / TAB) + 1) * TAB : column + 1;
  }
  return column;
}

export const withoutComments = (gap: string) => gap.replace(/#[^\n]*/gu, '');

/** The gap between two tokens with joined lines as one; a logical line goes on over it when no line end is left. */
const joined = (gap: string) => withoutComments(gap).replace(/\\\r?\n/gu, '\\');

/** How deep the line after a gap is: the blanks of its first line count, up to a backslash that joins the next. */
const depthAfter = (gap: string) =>
  columnOf(gap.slice(gap.lastIndexOf('\n') + 1).split('\\')[0] ?? '');

function pushed(stack: number[], column: number): number[] {
  const kept = stack.filter((depth) => depth <= column);
  return kept.at(-1) === column ? kept : [...kept, column];
}

/** Logical lines of a text from its pieces, as Python's tokenizer counts them; comments and blank lines are none. */
export function readLines(text: string, pieces: readonly Span[]): Reading {
  const spans = pieces.filter(({ kind }) => kind !== 'comment');
  const depths: { at: number; depth: number }[] = [];
  const lines: { at: number; column: number; first: string; last: string; stack: string }[] = [];
  let [depth, end, stack] = [0, 0, [0]];
  for (const { kind, at, end: to } of spans) {
    const token = text.slice(at, to);
    const gap = joined(text.slice(end, at));
    const current = lines.at(-1);
    if (current === undefined || (depth === 0 && gap.includes('\n'))) {
      const column = depthAfter(gap);
      stack = pushed(stack, column);
      lines.push({ at, column, first: token, last: token, stack: stack.join(' ') });
    } else current.last = token;
    if (kind !== 'string' && opens.has(token)) depth += 1;
    if (kind !== 'string' && closes.has(token)) depth = Math.max(0, depth - 1);
    depths.push({ at, depth });
    end = to;
  }
  return { spans, lines, depthAt: (unit) => depths.findLast(({ at }) => at < unit)?.depth ?? 0 };
}
