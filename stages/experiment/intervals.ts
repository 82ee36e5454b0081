/** An interval of a proportion, both ends in 0 to 1. */
export type Interval = { readonly low: number; readonly high: number };

const CONFIDENCE = 0.95;
/** The 0.975 quantile of the normal distribution. */
const Z = 1.959963984540054;

function logFactorials(n: number): number[] {
  const logs = [0];
  for (let k = 1; k <= n; k++) logs.push((logs[k - 1] ?? 0) + Math.log(k));
  return logs;
}

/** P(X <= k), X ~ Bin(n, p), by its terms in logarithms. */
function atMost(k: number, n: number, p: number, logs: readonly number[]): number {
  if (k < 0) return 0;
  if (k >= n || p <= 0) return 1;
  if (p >= 1) return 0;
  let sum = 0;
  for (let x = 0; x <= k; x++) {
    const ways = (logs[n] ?? 0) - (logs[x] ?? 0) - (logs[n - x] ?? 0);
    sum += Math.exp(ways + x * Math.log(p) + (n - x) * Math.log1p(-p));
  }
  return Math.min(1, sum);
}

/** The point in 0 to 1 where a falling function passes `target`. */
function crossing(falling: (p: number) => number, target: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (falling(middle) > target) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function assertCounts(hits: number, of: number): void {
  const fits = Number.isSafeInteger(hits) && Number.isSafeInteger(of) && hits >= 0 && hits <= of;
  if (!fits) throw new RangeError(`interval failed: ${hits} of ${of} is no proportion`);
}

/** The exact 95 % interval (Clopper and Pearson 1934), two-sided; null where there was nothing to count. */
export function clopperPearson(hits: number, of: number): Interval | null {
  assertCounts(hits, of);
  if (of === 0) return null;
  const logs = logFactorials(of);
  const tail = (1 - CONFIDENCE) / 2;
  return {
    low: hits === 0 ? 0 : crossing((p) => atMost(hits - 1, of, p, logs), 1 - tail),
    high: hits === of ? 1 : crossing((p) => atMost(hits, of, p, logs), tail),
  };
}

/** The 95 % score interval (Wilson 1927); null where there was nothing to count. */
export function wilson(hits: number, of: number): Interval | null {
  assertCounts(hits, of);
  if (of === 0) return null;
  const rate = hits / of;
  const square = Z * Z;
  const middle = rate + square / (2 * of);
  const spread = Z * Math.sqrt((rate * (1 - rate) + square / (4 * of)) / of);
  const scale = 1 + square / of;
  return {
    low: hits === 0 ? 0 : Math.max(0, (middle - spread) / scale),
    high: hits === of ? 1 : Math.min(1, (middle + spread) / scale),
  };
}
