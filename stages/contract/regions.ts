import type { Contract } from '../../schemas/contract.ts';
import { equalBytes, joinBytes, linesOf, matchesAt, offsetsOf } from './bytes.ts';
import { sha256 } from './canonical-json.ts';

const encoder = new TextEncoder();

export type Editable = Contract['editable'][number];

/** A region of a base file: the bytes from `start` to `end` may be replaced, everything else is protected. */
export type Span = {
  readonly id: string;
  readonly entry: Editable;
  readonly start: number;
  readonly end: number;
  readonly markers: readonly Uint8Array[];
};

export type Misfit = { readonly code: string; readonly path: string; readonly detail: string };

/** The names of a contract's entries, as proposals and reports use them: its own `id`, else r1, r2, … in order. */
export function entryIds(contract: Contract): string[] {
  return contract.editable.map(({ id }, at) => id ?? `r${at + 1}`);
}

const LF = 0x0a;
const CR = 0x0d;

/** A line without its terminator; one CR before the LF belongs to the terminator. */
export function bareLine(line: Uint8Array): Uint8Array {
  const ended = line.at(-1) === LF ? line.subarray(0, -1) : line;
  return ended.at(-1) === CR ? ended.subarray(0, -1) : ended;
}

type Line = { readonly start: number; readonly end: number };

function markerLine(
  base: Uint8Array,
  marker: Uint8Array,
  path: string,
  name: string,
): Line | Misfit {
  const hits = linesOf(base).filter(({ line }) => equalBytes(bareLine(line), marker));
  const [hit] = hits;
  if (hits.length === 1 && hit) return { start: hit.start, end: hit.start + hit.line.length };
  const code = hits.length === 0 ? 'contract.marker-missing' : 'contract.marker-duplicate';
  return {
    code,
    path,
    detail: `the ${name} marker is a whole line ${hits.length} times, expected once`,
  };
}

function byMarkers(
  id: string,
  entry: Editable,
  markers: { start: string; end: string },
  base: Uint8Array,
): Span | Misfit {
  const first = encoder.encode(markers.start);
  const last = encoder.encode(markers.end);
  const start = markerLine(base, first, entry.file, 'start');
  if ('code' in start) return start;
  const end = markerLine(base, last, entry.file, 'end');
  if ('code' in end) return end;
  if (end.start < start.end) {
    return {
      code: 'contract.marker-order',
      path: entry.file,
      detail: 'the end marker stands before the start marker',
    };
  }
  return { id, entry, start: start.end, end: end.start, markers: [first, last] };
}

const plainDigest = (digest: string) => digest.replace(/^sha256:/u, '');

function byOffsets(
  id: string,
  entry: Editable,
  region: { bytes: [number, number]; prefix: string; suffix: string },
  base: Uint8Array,
): Span | Misfit {
  const [start, end] = region.bytes;
  const fits =
    start <= end &&
    end <= base.length &&
    sha256(base.subarray(0, start)) === plainDigest(region.prefix) &&
    sha256(base.subarray(end)) === plainDigest(region.suffix);
  if (fits) return { id, entry, start, end, markers: [] };
  return {
    code: 'contract.value',
    path: entry.file,
    detail: `bytes ${start} to ${end} do not fit the prefix and suffix hashes`,
  };
}

/** Where one entry's region lies in the base file. Nothing but the base is ever searched for markers. */
function spanOf(id: string, entry: Editable, base: Uint8Array): Span | Misfit {
  const { region } = entry;
  if (region === undefined) return { id, entry, start: 0, end: base.length, markers: [] };
  return 'bytes' in region
    ? byOffsets(id, entry, region, base)
    : byMarkers(id, entry, region, base);
}

/** All regions of one base file in order, or the first that does not fit or meets another. */
export function spansOf(
  entries: readonly { id: string; entry: Editable }[],
  base: Uint8Array,
): Span[] | Misfit {
  const spans: Span[] = [];
  for (const { id, entry } of entries) {
    const span = spanOf(id, entry, base);
    if ('code' in span) return span;
    spans.push(span);
  }
  spans.sort((left, right) => left.start - right.start || left.end - right.end);
  const clash = spans.find((span, at) => at > 0 && span.start <= (spans[at - 1]?.end ?? 0));
  if (!clash) return spans;
  return {
    code: 'contract.region-overlap',
    path: clash.entry.file,
    detail: `region ${clash.id} meets another`,
  };
}

export type Body = { readonly span: Span; readonly start: number; readonly bytes: Uint8Array };
type Decomposed =
  | { readonly bodies: readonly Body[] }
  | {
      readonly code: 'bytes.segment' | 'region.overlap' | 'region.ambiguous';
      readonly at: number;
      readonly detail: string;
    };

/** Offset of the first difference of two byte strings. */
function firstDifference(left: Uint8Array, right: Uint8Array): number {
  const shared = Math.min(left.length, right.length);
  for (let at = 0; at < shared; at++) if (left[at] !== right[at]) return at;
  return shared;
}

const segment = (at: number, detail: string): Decomposed => ({ code: 'bytes.segment', at, detail });

type Placed =
  | { readonly starts: number[]; readonly detail?: undefined }
  | { readonly code: 'bytes.segment' | 'region.ambiguous'; readonly at: number };

/** Middle segments must have one place only: found from the left and from the right they stand at the same offsets. */
function middlePlaces(
  middles: readonly Uint8Array[],
  target: Uint8Array,
  from: number,
  to: number,
): Placed {
  const left: number[] = [];
  let at = from;
  for (const middle of middles) {
    const place = offsetsOf(target.subarray(at, to), middle, 1)[0];
    if (place === undefined) return { code: 'bytes.segment', at };
    left.push(at + place);
    at += place + middle.length;
  }
  let end = to;
  for (const [index, middle] of [...middles.entries()].toReversed()) {
    const place = offsetsOf(target.subarray(from, end), middle, Number.MAX_SAFE_INTEGER).at(-1);
    if (place === undefined) return { code: 'bytes.segment', at: from };
    if (from + place !== left[index]) return { code: 'region.ambiguous', at: from + place };
    end = from + place;
  }
  return { starts: left };
}

/**
 * The bodies of a candidate file, found by the protected segments of the base around them.
 * It looks at the two files only, never at a proposal, so a verdict stays a function of base, candidate and contract.
 */
export function decompose(
  spans: readonly Span[],
  base: Uint8Array,
  target: Uint8Array,
): Decomposed {
  const cuts = [0, ...spans.flatMap(({ start, end }) => [start, end]), base.length];
  const segments = spans.map((_, at) => base.subarray(cuts[2 * at], cuts[2 * at + 1]));
  const head = segments[0] ?? new Uint8Array();
  const tail = base.subarray(cuts.at(-2));
  if (!matchesAt(target, head, 0))
    return segment(firstDifference(base, target), 'the text before the first region changed');
  if (!matchesAt(target, tail, target.length - tail.length)) {
    const reversed = firstDifference(base.toReversed(), target.toReversed());
    return segment(Math.max(0, target.length - reversed), 'the text after the last region changed');
  }
  if (target.length < head.length + tail.length) {
    return {
      code: 'region.overlap',
      at: head.length,
      detail: 'the protected texts around the region overlap',
    };
  }
  const middles = segments.slice(1);
  const placed = middlePlaces(middles, target, head.length, target.length - tail.length);
  if ('code' in placed)
    return { ...placed, detail: 'the text between two regions changed or can be read in two ways' };
  const starts = [
    head.length,
    ...placed.starts.map((start, at) => start + (middles[at]?.length ?? 0)),
  ];
  const ends = [...placed.starts, target.length - tail.length];
  return {
    bodies: spans.map((span, at) => ({
      span,
      start: starts[at] ?? 0,
      bytes: target.subarray(starts[at], ends[at]),
    })),
  };
}

/** A base file with some of its bodies replaced. */
export function composeFile(
  spans: readonly Span[],
  base: Uint8Array,
  bodies: ReadonlyMap<string, Uint8Array>,
): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const span of spans) {
    parts.push(
      base.subarray(at, span.start),
      bodies.get(span.id) ?? base.subarray(span.start, span.end),
    );
    at = span.end;
  }
  return joinBytes([...parts, base.subarray(at)]);
}
