/** A probability as a fraction in lowest terms. */
export type Fraction = { readonly num: bigint; readonly den: bigint };

export type Side = 'one' | 'two';

function gcd(a: bigint, b: bigint): bigint {
  let [left, right] = [a, b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

function reduced(num: bigint, den: bigint): Fraction {
  const common = gcd(num, den);
  return { num: num / common, den: den / common };
}

/** Number of ways to choose `k` of `n`. */
function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let ways = 1n;
  for (let at = 1; at <= k; at++) ways = (ways * BigInt(n - k + at)) / BigInt(at);
  return ways;
}

function assertCount(value: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return;
  throw new RangeError(`sign test failed: ${value} is no count`);
}

/**
 * The exact sign test, which is McNemar's on paired outcomes: `b` pairs where only the first is better, `c` where only the
 * second is, ties left out. One-sided P(X >= b), two-sided min(1, 2 P(X <= min(b, c))), X ~ Bin(b + c, 1/2); no pair gives 1.
 * Throws RangeError on what is no count.
 */
export function signTest(b: number, c: number, side: Side): Fraction {
  assertCount(b);
  assertCount(c);
  const n = b + c;
  if (n === 0) return { num: 1n, den: 1n };
  const den = 2n ** BigInt(n);
  const [from, to] = side === 'one' ? [b, n] : [0, Math.min(b, c)];
  let ways = 0n;
  for (let k = from; k <= to; k++) ways += choose(n, k);
  const doubled = side === 'one' ? ways : 2n * ways;
  return doubled >= den ? { num: 1n, den: 1n } : reduced(doubled, den);
}

type Counts = { readonly hits: number; readonly of: number };

/** Fisher's exact test, two-sided: all tables with the same margins that are no more likely than the one seen. */
export function fisherExact(first: Counts, second: Counts): Fraction {
  const hits = first.hits + second.hits;
  const weight = (k: number) => choose(first.of, k) * choose(second.of, hits - k);
  const seen = weight(first.hits);
  let sum = 0n;
  for (let k = 0; k <= hits; k++) if (weight(k) <= seen) sum += weight(k);
  return reduced(sum, choose(first.of + second.of, hits));
}

const SIGNIFICANT = 4;

/** A fraction of at most 1 in four significant digits, rounded half up from the exact value, without an exponent. */
export function printFraction({ num, den }: Fraction): string {
  if (num === 0n) return '0';
  let scale = 0;
  while (num * 10n ** BigInt(scale) < den) scale += 1;
  const digits = scale + SIGNIFICANT - 1;
  const scaled = (2n * num * 10n ** BigInt(digits) + den) / (2n * den);
  const text = scaled.toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${whole}.${text.slice(text.length - digits)}`.replace(/\.?0+$/, '');
}
