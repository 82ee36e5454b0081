const declared = /^<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;
const HEAD = 200;

/** What the first bytes say of the encoding; a mark counts more than a declaration. */
function encodingOf(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  const head = String.fromCharCode(...bytes.subarray(0, HEAD));
  return declared.exec(head.replace(/^\u00ef\u00bb\u00bf/, ''))?.[1] ?? 'utf-8';
}

/** The text of a report, or null where its bytes are none in the encoding they name. Without a name they are UTF-8. */
export function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}
