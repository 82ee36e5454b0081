import { lexPython } from '../lex-python.ts';
import type { FrameHit, FrameInput, FrameRegion } from '../profiles/profile.ts';
import { nestedSpans } from '../scanners/python.ts';
import { utf8 } from '../text.ts';
import {
  columnOf,
  type LogicalLine,
  type Reading,
  readLines,
  withoutComments,
} from './python-lines.ts';

const hit = (at: number, detail: string): FrameHit => ({ code: 'frame.syntactic', at, detail });

type Side = {
  readonly text: string;
  readonly reading: Reading;
  /** The region, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
};

const bodyOf = ({ reading, start, end }: Side) =>
  reading.lines.filter(({ at }) => at >= start && at < end);

/** How deep a body must stand: as its first line did in the base, or as the end marker where it had none. */
function leastDepth(old: Side): number {
  const marker = /^[ \t\f]*/u.exec(old.text.slice(old.end))?.[0] ?? '';
  return bodyOf(old)[0]?.column ?? columnOf(marker);
}

const joining = new Set(['else', 'elif', 'except', 'finally']);

/** A line that joins the protected statement before the region, or a decorator there that takes the one after it. */
function startHits(old: Side, now: Side, at: number): FrameHit[] {
  const [was, is] = [bodyOf(old)[0], bodyOf(now)[0]];
  const isJoined = is && joining.has(is.first) && !(was && joining.has(was.first));
  const before = now.reading.lines.findLast((line) => line.at < now.start);
  const isInner = (line: LogicalLine | undefined) =>
    line !== undefined && before?.last !== ':' && line.column > leastDepth(old);
  if (isInner(is) && !isInner(was))
    return [hit(at, 'a first line that goes on with the protected block before the region')];
  if (isJoined) return [hit(at, `"${is.first}" joins the protected statement before the region`)];
  return before?.first === '@' && was && !is
    ? [hit(at, 'the decorator before the region takes the line after it')]
    : [];
}

function depthHits(old: Side, now: Side, at: number): FrameHit[] {
  const least = leastDepth(old);
  const shallow = bodyOf(now).some(({ column }) => column < least);
  return shallow ? [hit(at, `a line less deep than the ${least} blanks of the region`)] : [];
}

/** Whether the last thing in a body, comments apart, is a backslash that joins the next line. */
function isContinued({ text, reading, start, end }: Side): boolean {
  const last = reading.spans.findLast(({ at }) => at >= start && at < end);
  return withoutComments(text.slice(last?.end ?? start, end)).includes('\\');
}

function lastHits(now: Side, at: number): FrameHit[] {
  const last: LogicalLine | undefined = bodyOf(now).at(-1);
  if (isContinued(now)) return [hit(at, 'a backslash that joins the line after the region')];
  if (last?.first === '@') return [hit(at, 'a decorator as the last line of the region')];
  return last?.last === ':'
    ? [hit(at, 'a clause without its block as the last line of the region')]
    : [];
}

function endHits(old: Side, now: Side, at: number): FrameHit[] {
  const after = ({ reading, end }: Side) => reading.lines.find((line) => line.at >= end)?.stack;
  if (old.reading.depthAt(old.end) !== now.reading.depthAt(now.end))
    return [hit(at, 'a bracket that is open where the region ends')];
  if (after(old) === after(now)) return [];
  return [hit(at, 'the line after the region belongs to another block')];
}

/** A place in bytes as one in UTF-16 units. */
const unitOf = (bytes: Uint8Array, at: number) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, at)).length;

/** The two ways to read f-strings; a text that has none reads the same in both. */
const scans = [(text: string) => lexPython(text).spans, nestedSpans];

function regionHits(old: Side, now: Side, { candidate }: FrameRegion): FrameHit[] {
  return [
    ...startHits(old, now, candidate.start),
    ...depthHits(old, now, candidate.start),
    ...lastHits(now, candidate.end),
    ...endHits(old, now, candidate.end),
  ];
}

/**
 * The syntactic frame of Python by indentation: the same block after each region, no line of a body shallower than the body
 * began, nothing at its start that joins the line before, nothing at its end that takes the next line for its own.
 * Source: contracts.md 7.
 */
export function indentationHits({ base, candidate, regions }: FrameInput): FrameHit[] {
  const [before, after] = [utf8(base), utf8(candidate)];
  if (before === null || after === null) throw new Error('bytes that are not UTF-8');
  const sideOf = (
    text: string,
    reading: Reading,
    bytes: Uint8Array,
    { start, end }: FrameRegion['base'],
  ): Side => ({ text, reading, start: unitOf(bytes, start), end: unitOf(bytes, end) });
  for (const scan of scans) {
    const [old, now] = [readLines(before, scan(before)), readLines(after, scan(after))];
    const hits = regions.flatMap((region) =>
      regionHits(
        sideOf(before, old, base, region.base),
        sideOf(after, now, candidate, region.candidate),
        region,
      ),
    );
    if (hits.length > 0) return hits;
  }
  return [];
}
