import type { FrameHit, FrameInput } from '../profiles/profile.ts';
import { byteCounter } from '../scanners/spans.ts';
import { utf8 } from '../text.ts';

/** A piece of a prover's text that counts as one: a command with what belongs to it, or a sentence. In UTF-16 units. */
export type Piece = { readonly at: number; readonly end: number; readonly first: string };

/** A text, or an error that ends as `scan.error`. */
export function textOrThrow(bytes: Uint8Array): string {
  const text = utf8(bytes);
  if (text === null) throw new Error('bytes that are not UTF-8');
  return text;
}

/** A place in bytes as one in UTF-16 units. */
const unitAt = (bytes: Uint8Array, at: number): number => textOrThrow(bytes.subarray(0, at)).length;

/** A place in UTF-16 units as one in bytes. */
const byteAt = (text: string, unit: number): number =>
  new TextEncoder().encode(text.slice(0, unit)).length;

/** Sentences that begin in one part of a text and end in another: a body that leaves its last one open takes protected text. */
export function crossingPieces(
  input: FrameInput,
  piecesOf: (text: string) => readonly Piece[],
): FrameHit[] {
  const text = textOrThrow(input.candidate);
  const pieces = piecesOf(text);
  return input.regions.flatMap(({ id, candidate }): FrameHit[] => {
    const borders = [candidate.start, candidate.end].map((at) => unitAt(input.candidate, at));
    const crossing = pieces.find(({ at, end }) =>
      borders.some((border) => at < border && border < end),
    );
    if (crossing === undefined) return [];
    const at = byteAt(text, crossing.at);
    return [
      { code: 'frame.syntactic', at, detail: `a sentence that crosses the border of region ${id}` },
    ];
  });
}

/** What a region's body must not hold, by pieces of its own text. */
export function bodyHits(
  input: FrameInput,
  judge: (body: string, column: number) => { readonly at: number; readonly detail: string } | null,
): FrameHit[] {
  const text = textOrThrow(input.candidate);
  return input.regions.flatMap(({ candidate }): FrameHit[] => {
    const [from, to] = [
      unitAt(input.candidate, candidate.start),
      unitAt(input.candidate, candidate.end),
    ];
    const wrong = judge(text.slice(from, to), from);
    if (wrong === null) return [];
    const at = byteAt(text, from + wrong.at);
    return [{ code: 'frame.region-kind', at, detail: wrong.detail }];
  });
}

type Start = { readonly kind: string; readonly name: string; readonly at: number };

/** Declarations in order, each up to the next; offsets in bytes. */
export function declaredSpans(text: string, starts: readonly Start[]) {
  const [from, to] = [byteCounter(text), byteCounter(text)];
  return starts.map(({ kind, name, at }, index) => ({
    kind,
    name,
    start: from(at),
    end: to(starts[index + 1]?.at ?? text.length),
  }));
}
