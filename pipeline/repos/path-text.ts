const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A path of git as a string, without loss: a byte that is not UTF-8 becomes the lone surrogate U+DC00 + byte,
 * which no valid text holds. Decoding with replacement characters would let two files share one name.
 */
export function pathText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return [...runs(bytes)].join('');
  }
}

/** Whether a path came from bytes that are no UTF-8; such a path cannot be a command's argument. */
export const isRawPath = (path: string): boolean => /[\udc80-\udcff]/u.test(path);

/** The longest valid pieces, and single escaped bytes between them. */
function* runs(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((size) => isCharacter(bytes.subarray(at, at + size), size));
    yield length === undefined
      ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
      : decoder.decode(bytes.subarray(at, at + length));
    at += length ?? 1;
  }
}

function isCharacter(bytes: Uint8Array, size: number): boolean {
  if (bytes.length !== size) return false;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return !text.includes('\ufffd') && [...text].length === 1;
}
