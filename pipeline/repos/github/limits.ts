import type { Wired } from './wire.ts';

type Failed = Extract<Wired, { kind: 'failed' }>;

/** How long to leave the host alone, in milliseconds, and why. */
export type Delay = { readonly ms: number; readonly why: string };

const MINUTE = 60_000;

const number = (text: string | undefined): number | null =>
  text !== undefined && /^\d+$/u.test(text) ? Number(text) : null;

/** GitHub has spelled it both ways. */
const isLimited = ({ types }: Failed) =>
  types.some((type) => type === 'RATE_LIMITED' || type === 'RATE_LIMIT');

/**
 * The wait that an answer asks for, or null where it asks for none. `times`: waits in a row before this one. The hourly limit
 * says when it ends; the one on bursts says `retry-after`, or nothing, and then a minute is doubled each time.
 */
export function waitFor(failed: Failed, now: number, times: number): Delay | null {
  const { status, headers, message } = failed;
  const after = number(headers['retry-after']);
  const isBurst = /secondary rate|abuse/iu.test(message);
  const isRefusal = status === 403 || status === 429;
  if (after !== null && (isRefusal || isLimited(failed)))
    return { ms: Math.max(1, after) * 1000, why: 'too many requests at a time' };
  const reset = number(headers['x-ratelimit-reset']);
  const isUsedUp = headers['x-ratelimit-remaining'] === '0';
  if ((isLimited(failed) || (isRefusal && isUsedUp)) && reset !== null)
    return { ms: Math.max(1000, reset * 1000 - now + 1000), why: 'the hourly limit is used up' };
  if (isLimited(failed) || status === 429 || (isRefusal && isBurst))
    return { ms: Math.min(60 * MINUTE, MINUTE * 2 ** times), why: 'too many requests at a time' };
  return null;
}
