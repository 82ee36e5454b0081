const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** The text of UTF-8 bytes, or null where they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) return null;
    throw cause;
  }
}

/** `JSON.stringify` would write half a surrogate pair as an escape, and most readers then refuse the line. */
function whole(_key: string, value: unknown): unknown {
  if (typeof value === 'string' && /\p{Cs}/u.test(value)) {
    throw new TypeError('JSON for export failed: a text holds half a surrogate pair');
  }
  return value;
}

/**
 * JSON in ASCII: everything else as `\uXXXX`. Readers split lines at U+0085, U+2028 and U+2029 and decode in their locale's
 * encoding; neither can harm ASCII. Throws on half a surrogate pair, which no reader takes back unharmed.
 */
export function asciiJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, whole, indent);
  return json.replace(/[\u007f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Text order by code unit, the one order of every list in a release. */
export const byText = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Base64 with padding, in lines of 76, each ended by LF. */
export function base64Lines(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    const word = (a << 16) | (b << 8) | c;
    const sextets = [18, 12, 6, 0].map((shift) => alphabet[(word >> shift) & 63] ?? '');
    const real = Math.min(3, bytes.length - at) + 1;
    text += sextets.map((sextet, place) => (place < real ? sextet : '=')).join('');
  }
  return text.replace(/.{1,76}/g, '$&\n');
}

/** Bytes of a base64 text; blanks and line ends are passed over. Throws on anything else that is not base64. */
export function fromBase64(text: string): Uint8Array {
  const clean = text.replace(/\s/g, '').replace(/={1,2}$/, '');
  if (!/^[A-Za-z0-9+/]*$/.test(clean)) throw new TypeError('base64 unreadable');
  const bytes = new Uint8Array(Math.floor((clean.length * 3) / 4));
  let word = 0;
  let bits = 0;
  let at = 0;
  for (const sign of clean) {
    word = ((word << 6) | alphabet.indexOf(sign)) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[at++] = (word >> bits) & 0xff;
  }
  return bytes;
}
