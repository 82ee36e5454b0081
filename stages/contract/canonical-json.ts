import { createHash } from 'node:crypto';

/** SHA-256 of bytes, or of a text's UTF-8 bytes, in lower-case hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const byCodeUnit = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

function text(value: string): string {
  if (/\p{Cs}/u.test(value))
    throw new TypeError('canonical JSON: a string holds half a surrogate pair');
  return JSON.stringify(value);
}

function members(value: object): string {
  const parts: string[] = [];
  const entries = Object.entries(value).toSorted(([left], [right]) => byCodeUnit(left, right));
  for (const [key, member] of entries) {
    if (member !== undefined) parts.push(`${text(key)}:${canonicalJson(member)}`);
  }
  return `{${parts.join(',')}}`;
}

/**
 * The one spelling of a JSON value (RFC 8785): keys in UTF-16 order, no blanks, ECMAScript's numbers.
 * A member that is `undefined` is absent. Throws TypeError on what JSON cannot hold.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new TypeError(`canonical JSON: ${value} is not a JSON number`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object') return members(value);
  throw new TypeError(`canonical JSON: a ${typeof value} is not a JSON value`);
}

/** The SHA-256 hex of a value's canonical JSON; the name of requests, contracts and records. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
