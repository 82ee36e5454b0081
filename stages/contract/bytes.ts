/** Whether two byte strings are equal. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && matchesAt(left, right, 0);
}

/** Whether `needle` stands in `bytes` at an offset. */
export function matchesAt(bytes: Uint8Array, needle: Uint8Array, at: number): boolean {
  if (at < 0 || at + needle.length > bytes.length) return false;
  for (let index = 0; index < needle.length; index++) {
    if (bytes[at + index] !== needle[index]) return false;
  }
  return true;
}

/** Offsets at which `needle` starts, overlapping ones too, at most `max` of them. An empty needle is found nowhere. */
export function offsetsOf(bytes: Uint8Array, needle: Uint8Array, max: number): number[] {
  const found: number[] = [];
  const first = needle[0];
  if (first === undefined) return found;
  let at = bytes.indexOf(first);
  while (at !== -1 && found.length < max) {
    if (matchesAt(bytes, needle, at)) found.push(at);
    at = bytes.indexOf(first, at + 1);
  }
  return found;
}

/** The parts one after another. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const LF = 0x0a;

/** Lines with their terminators, as views of the same bytes; the last one may lack its LF. */
export function linesOf(
  bytes: Uint8Array,
): { readonly start: number; readonly line: Uint8Array }[] {
  const lines: { start: number; line: Uint8Array }[] = [];
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(LF, start);
    const next = end === -1 ? bytes.length : end + 1;
    lines.push({ start, line: bytes.subarray(start, next) });
    start = next;
  }
  return lines;
}
