import { lexPython } from '../lex-python.ts';
import type { FrameHit, FrameInput } from '../profiles/profile.ts';
import { utf8 } from '../text.ts';

/** One logical line: where it starts, how deep, and its first and last token. Offsets in UTF-16 units. */
type LogicalLine = {
  readonly at: number;
  readonly column: number;
  readonly first: string;
  readonly last: string;
  /** The indentation stack once this line is read. */
  readonly stack: string;
};

type Read = {
  readonly lines: readonly LogicalLine[];
  /** Bracket depth before a place. */
  readonly depthAt: (unit: number) => number;
};

const TAB = 8;
const opens = new Set(['(', '[', '{']);
const closes = new Set([')', ']', '}']);

function columnOf(blank: string): number {
  let column = 0;
  for (const sign of blank)
    column = sign === '\t' ? (Math.floor(column / TAB) + 1) * TAB : column + 1;
  return column;
}

/** Whether a logical line goes on over the gap between two tokens. */
const isBroken = (gap: string) => gap.replace(/\\\r?\n/gu, '').includes('\n');

function pushed(stack: number[], column: number): number[] {
  const kept = stack.filter((depth) => depth <= column);
  return kept.at(-1) === column ? kept : [...kept, column];
}

/** Logical lines of a text, as Python's tokenizer counts them; comments and blank lines are none. */
function readLines(text: string): Read {
  const spans = lexPython(text).spans.filter(({ kind }) => kind !== 'comment');
  const depths: { at: number; depth: number }[] = [];
  const lines: { at: number; column: number; first: string; last: string; stack: string }[] = [];
  let [depth, end, stack] = [0, 0, [0]];
  for (const { at, end: to } of spans) {
    const token = text.slice(at, to);
    const gap = withoutComments(text.slice(end, at));
    const current = lines.at(-1);
    if (current === undefined || (depth === 0 && isBroken(gap))) {
      const column = columnOf(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));
      stack = pushed(stack, column);
      lines.push({ at, column, first: token, last: token, stack: stack.join(' ') });
    } else current.last = token;
    if (opens.has(token)) depth += 1;
    if (closes.has(token)) depth = Math.max(0, depth - 1);
    depths.push({ at, depth });
    end = to;
  }
  return { lines, depthAt: (unit) => depths.findLast(({ at }) => at < unit)?.depth ?? 0 };
}

const withoutComments = (gap: string) => gap.replace(/#[^\n]*/gu, '');

/** A place in bytes as one in UTF-16 units. */
const unitOf = (bytes: Uint8Array, at: number) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, at)).length;

const hit = (at: number, detail: string): FrameHit => ({ code: 'frame.syntactic', at, detail });

/** Whether the last thing in a body, comments apart, is a backslash that joins the next line. */
function isContinued(text: string, from: number, to: number): boolean {
  const last = lexPython(text).spans.findLast(
    ({ at, kind }) => at >= from && at < to && kind !== 'comment',
  );
  return withoutComments(text.slice(last?.end ?? from, to)).includes('\\');
}

type Sides = {
  readonly before: string;
  readonly after: string;
  readonly old: Read;
  readonly now: Read;
};

function endHits(
  { old, now }: Sides,
  ends: { base: number; candidate: number },
  at: number,
): FrameHit[] {
  const [left, right] = [
    old.lines.find((line) => line.at >= ends.base),
    now.lines.find((line) => line.at >= ends.candidate),
  ];
  if (old.depthAt(ends.base) !== now.depthAt(ends.candidate))
    return [hit(at, 'a bracket that is open where the region ends')];
  if (left?.stack === right?.stack) return [];
  return [hit(at, 'the line after the region belongs to another block')];
}

function lastHits(body: readonly LogicalLine[], isJoined: boolean, at: number): FrameHit[] {
  const last = body.at(-1);
  if (isJoined) return [hit(at, 'a backslash that joins the line after the region')];
  if (last?.first === '@') return [hit(at, 'a decorator as the last line of the region')];
  return last?.last === ':'
    ? [hit(at, 'a clause without its block as the last line of the region')]
    : [];
}

/**
 * The syntactic frame of Python by indentation: the same block after each region, no line of a body shallower than the body
 * began, nothing at its end that takes the next line for its own. Source: contracts.md 7.
 */
export function pythonLineHits({ base, candidate, regions }: FrameInput): FrameHit[] {
  const [before, after] = [utf8(base), utf8(candidate)];
  if (before === null || after === null) throw new Error('bytes that are not UTF-8');
  const sides: Sides = { before, after, old: readLines(before), now: readLines(after) };
  return regions.flatMap((region) => {
    const [baseFrom, baseTo] = [unitOf(base, region.base.start), unitOf(base, region.base.end)];
    const [from, to] = [
      unitOf(candidate, region.candidate.start),
      unitOf(candidate, region.candidate.end),
    ];
    const within = (read: Read, start: number, end: number) =>
      read.lines.filter(({ at }) => at >= start && at < end);
    const body = within(sides.now, from, to);
    const least = within(sides.old, baseFrom, baseTo)[0]?.column ?? markerColumn(before, baseTo);
    const shallow = body.find(({ column }) => column < least);
    const at = region.candidate.end;
    return [
      ...(shallow
        ? [hit(region.candidate.start, `a line less deep than the ${least} blanks of the region`)]
        : []),
      ...lastHits(body, isContinued(after, from, to), at),
      ...endHits(sides, { base: baseTo, candidate: to }, at),
    ];
  });
}

const markerColumn = (text: string, at: number) =>
  columnOf(/^[ \t]*/u.exec(text.slice(at))?.[0] ?? '');
