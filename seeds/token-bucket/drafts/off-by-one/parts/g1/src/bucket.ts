import { checkPositive } from './checks.ts';
import type { Clock } from './clock.ts';

/** What a bucket is made from. */
export interface BucketOptions {
  /** The most tokens that the bucket holds. */
  capacity: number;
  /** Tokens to start with; `capacity` by default. */
  initial?: number;
  /** Tokens that come back each second. */
  refillPerSecond: number;
  /** Tokens come back at the end of every step of this length; 0, the default, means evenly. */
  stepMs?: number;
  /** Where the time comes from. */
  clock: Clock;
  /** How far below zero a take may go; 0 by default. */
  overdraft?: number;
}

/** Takes succeed while there are tokens, and time brings tokens back. */
export class TokenBucket {
  readonly capacity: number;
  private tokens: number;
  private updatedAt: number;
  private readonly refillPerSecond: number;
  private readonly stepMs: number;
  private readonly clock: Clock;
  private readonly overdraft: number;

  constructor(options: BucketOptions) {
    checkPositive('capacity', options.capacity);
    checkPositive('refillPerSecond', options.refillPerSecond);

    this.capacity = options.capacity;
    this.tokens = options.initial ?? options.capacity;
    this.updatedAt = options.clock.now();
    this.refillPerSecond = options.refillPerSecond;
    this.stepMs = options.stepMs ?? 0;
    this.clock = options.clock;
    this.overdraft = options.overdraft ?? 0;
  }

  /** Takes `count` tokens if they are there, all or none, and says whether it did. */
  tryTake(count = 1): boolean {
    this.refill();
    if (count > this.tokens + this.overdraft) return false;
    this.tokens -= count;
    return true;
  }

  /** Takes as many of `count` tokens as there are. */
  takeUpTo(count: number): number {
    const part = Math.max(0, Math.min(count, this.available()));
    this.tokens -= part;
    return part;
  }

  /** Tokens there now. */
  available(): number {
    this.refill();
    return this.tokens;
  }

  /** Milliseconds until `count` tokens are there; 0 if they are there now. */
  waitTime(count = 1): number {
    if (count > this.capacity) return Number.POSITIVE_INFINITY;
    this.refill();
    const missing = count - this.tokens;
    if (missing <= 0) return 0;
    const wait = (missing / this.refillPerSecond) * 1000;
    if (this.stepMs > 0) {
      const begun = this.clock.now() - this.updatedAt;
      return Math.ceil(wait / this.stepMs) * this.stepMs - begun;
    }
    return Math.ceil(wait);
  }

  private refill(): void {
    const now = this.clock.now();
    const elapsed = now - this.updatedAt;
    if (elapsed < 0) return;
    const counted = this.stepMs > 0 ? elapsed - (elapsed % this.stepMs) : elapsed;
    this.updatedAt += counted;
    this.tokens = Math.min(this.capacity, this.tokens + (counted / 1000) * this.refillPerSecond);
  }
}
