import type { Span } from '../lexer.ts';
import type { FrameTokens } from '../profiles/profile.ts';
import { utf8 } from '../text.ts';

/** Byte offsets of a text's UTF-16 units, for offsets that are asked for in rising order. */
export function byteCounter(text: string): (unit: number) => number {
  let [unit, bytes] = [0, 0];
  const encoder = new TextEncoder();
  return (to) => {
    if (to < unit) [unit, bytes] = [0, 0];
    bytes += encoder.encode(text.slice(unit, to)).length;
    unit = to;
    return bytes;
  };
}

/** Frame tokens from a scanner of text that tells both ends of every piece. */
export function frameTokens(
  bytes: Uint8Array,
  scan: (text: string) => { readonly spans: readonly Span[]; readonly error?: string | null },
): FrameTokens {
  const text = utf8(bytes);
  if (text === null) return { tokens: [], error: 'bytes that are not UTF-8' };
  const { spans, error = null } = scan(text);
  const byteAt = byteCounter(text);
  const tokens = spans.map(({ kind, at, end }) => ({
    kind,
    text: text.slice(at, end),
    start: byteAt(at),
    end: byteAt(end),
  }));
  return { tokens, error };
}
