import type { FrameHit, FrameInput } from '../profiles/profile.ts';
import { byteCounter } from '../scanners/spans.ts';
import { textOrThrow } from './outer-syntax.ts';

/** A command with what belongs to it, or a sentence, in UTF-16 units; `first` is its first word. */
export type Piece = { readonly at: number; readonly end: number; readonly first: string };

type Part = { readonly from: number; readonly to: number };
type Placed = Piece & {
  readonly part: number;
  readonly endPart: number;
  readonly origin: number;
  readonly endOrigin: number;
};

/** Parts of a file in order: protected, region, protected, …; odd ones are regions. In bytes. */
function partsOf({ regions, base, candidate }: FrameInput, side: 'base' | 'candidate'): Part[] {
  const length = { base, candidate }[side].length;
  const borders = regions.flatMap((region) => [region[side].start, region[side].end]);
  return [0, ...borders].map((from, at) => ({ from, to: borders[at] ?? length }));
}

/** Pieces with the parts that they begin and end in; offsets become bytes. */
function placed(
  input: FrameInput,
  side: 'base' | 'candidate',
  piecesOf: (text: string) => readonly Piece[],
): Placed[] {
  const text = textOrThrow(input[side]);
  const parts = partsOf(input, side);
  const [byteAt, byteEnd] = [byteCounter(text), byteCounter(text)];
  let part = 0;
  return piecesOf(text).map((piece) => {
    const [at, end] = [byteAt(piece.at), byteEnd(piece.end)];
    while (part < parts.length - 1 && at >= (parts[part]?.to ?? 0)) part += 1;
    let endPart = part;
    while (endPart < parts.length - 1 && end > (parts[endPart]?.to ?? 0)) endPart += 1;
    const [origin, endOrigin] = [parts[part]?.from ?? 0, parts[endPart]?.from ?? 0];
    return { at, end, first: piece.first, part, endPart, origin, endOrigin };
  });
}

const isProtected = ({ part }: Placed) => part % 2 === 0;

/** What the rule compares: word and place, and the end unless it lies in a region or borders on one. */
function told({ first, part, endPart, at, end, origin, endOrigin }: Placed, reaches: boolean) {
  const isOwn = endPart === part && !reaches;
  const to = isOwn || (endPart > part && endPart % 2 === 0) ? `${endPart}+${end - endOrigin}` : '';
  return `${part}+${at - origin} ${first} ${to}`;
}

const hit = (at: number, detail: string): FrameHit => ({ code: 'frame.syntactic', at, detail });

/**
 * The syntactic frame of provers: commands or sentences of the protected text are the same list, and none that begins in a region
 * ends outside it. With `reaches`, one that begins in protected text may end in a region, as a theorem of Lean does.
 * Source: contracts.md 7.
 */
export function spanHits(
  input: FrameInput,
  piecesOf: (text: string) => readonly Piece[],
  reaches: boolean,
): FrameHit[] {
  const now = placed(input, 'candidate', piecesOf);
  const crossing = now.find(
    (piece) => piece.endPart !== piece.part && !(reaches && isProtected(piece)),
  );
  if (crossing !== undefined)
    return [hit(crossing.at, `"${crossing.first}" crosses the border of a region`)];
  const kept = now.filter(isProtected);
  const old = placed(input, 'base', piecesOf)
    .filter(isProtected)
    .map((one) => told(one, reaches));
  const at = kept.findIndex((piece, index) => told(piece, reaches) !== old[index]);
  if (at === -1 && kept.length === old.length) return [];
  const piece = kept[at];
  return [hit(piece?.at ?? input.candidate.length, 'protected text is another list of commands')];
}

/** Whether a body may hold a modifier at all: every other kind of region refuses the word itself. */
export const mayHoldModifiers = ({ regions }: FrameInput): boolean =>
  regions.some(({ kind }) => kind === 'any');

type Start = { readonly text: string; readonly at: number; readonly end: number };

/**
 * Commands of a text, each from its first word to its last token. `opens` tells whether a token begins one; `joined` gives the
 * first word of a span and the next one taken together, as a modifier and its command are, or null where they are two.
 */
export function commandSpans(
  tokens: readonly Start[],
  opens: (index: number) => boolean,
  joined: (first: string, last: string, next: string) => string | null,
): Piece[] {
  const pieces: { at: number; end: number; first: string }[] = [];
  let last = '';
  for (const [index, { text, at, end }] of tokens.entries()) {
    const open = pieces.at(-1);
    const isStart = opens(index);
    const together = open && isStart ? joined(open.first, last, text) : null;
    if (isStart && together === null) pieces.push({ at, end, first: text });
    else if (open) [open.end, open.first] = [end, together ?? open.first];
    last = text;
  }
  return pieces;
}
