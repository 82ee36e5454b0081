const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A file as text for a parser that counts UTF-16 units, and the way back to bytes and to lines, counted from 1. */
export type OffsetText = {
  readonly text: string;
  byteAt(unit: number): number;
  lineAt(unit: number): number;
};

/**
 * Bytes that are no UTF-8 are read as Latin-1, one unit a byte, so that offsets still point into the file.
 * A byte order mark stays in the text, else all offsets would be three bytes short.
 */
export function readText(bytes: Uint8Array): OffsetText {
  const text = decode(bytes);
  const lineAt = lineCounter(text);
  if (text.length === bytes.length) return { text, byteAt: (unit) => unit, lineAt };
  const starts = byteStarts(text);
  return { text, byteAt: (unit) => starts[unit] ?? bytes.length, lineAt };
}

/** Lines end in a line feed and nothing else, as the parser counts them. */
function lineCounter(text: string): (unit: number) => number {
  const ends: number[] = [];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) ends.push(end);
  return (unit) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < unit) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return Buffer.from(bytes).toString('latin1');
  }
}

/** For each UTF-16 unit the offset of its character's first byte. */
function byteStarts(text: string): Uint32Array {
  const starts = new Uint32Array(text.length + 1);
  let byte = 0;
  for (let unit = 0; unit < text.length; unit++) {
    starts[unit] = byte;
    byte += unitBytes(text.charCodeAt(unit));
  }
  starts[text.length] = byte;
  return starts;
}

/** A surrogate pair is four bytes, two for each half, so the half in the middle never matters. */
function unitBytes(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}
