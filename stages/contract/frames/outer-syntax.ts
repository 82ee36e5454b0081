import type { FrameHit, FrameInput } from '../profiles/profile.ts';
import { byteCounter } from '../scanners/spans.ts';
import { utf8 } from '../text.ts';

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
