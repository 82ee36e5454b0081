/** Hashes of one text's shingles, each the least under a function of its own. Equal places say how much two texts share. */
export type Signature = readonly number[];

const FUNCTIONS = 128;
/** Words in a row that count as one thing: fewer are in every text, more are in none. */
const SHINGLE = 4;
const PRIME = 0x01000193;

function hashOf(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), PRIME) >>> 0;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d) >>> 0;
  return (hash ^ (hash >>> 12)) >>> 0;
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

function shinglesOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text);
  if (words.length <= SHINGLE) return new Set([words.join(' ')]);
  return new Set(words.slice(SHINGLE - 1).map((_, at) => words.slice(at, at + SHINGLE).join(' ')));
}

/** Source: Broder, On the resemblance and containment of documents, 1997. */
export function signatureOf(text: string): Signature {
  const hashes = [...shinglesOf(text)].map((shingle) => hashOf(shingle, 0));
  return Array.from({ length: FUNCTIONS }, (_, seed) =>
    hashes.reduce((least, hash) => Math.min(least, mixed(hash, seed)), 0xffffffff),
  );
}

function mixed(hash: number, seed: number): number {
  let value = Math.imul(hash ^ Math.imul(seed + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35) >>> 0;
  return (value ^ (value >>> 16)) >>> 0;
}

/** Share of shingles that two texts have in common, 0 to 1, to about 0.09. */
export function resemblance(left: Signature, right: Signature): number {
  const equal = left.filter((value, at) => value === right[at]).length;
  return left.length === 0 ? 0 : equal / left.length;
}
