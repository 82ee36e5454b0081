import { checkPositive } from './checks.ts';
import type { Clock } from './clock.ts';

/** Tokens set aside. The first of the two calls settles it. */
export interface Reservation {
  commit(): void;
  cancel(): void;
}

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
  /** The snapshot to go on from. */
  from?: Snapshot;
}

/** A bucket's state, plain data. */
export interface Snapshot {
  tokens: number;
  at: number;
}

/** Takes succeed while there are tokens, and time brings tokens back. */
export class TokenBucket {
  readonly capacity: number;
  private tokens: number;
  private updatedAt: number;
  private held = 0;
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
    if (options.from !== undefined) {
      this.tokens = options.from.tokens;
      this.updatedAt = options.from.at;
    }
  }

  /** Takes `count` tokens if they are there, all or none, and says whether it did. */
  tryTake(count = 1): boolean {
    this.refill();
    if (count > this.tokens + this.overdraft) return false;
    this.tokens -= count;
    return true;
  }

  /** Sets `count` tokens aside; null if they are not there. */
  reserve(count = 1): Reservation | null {
    if (!this.tryTake(count)) return null;
    this.held += count;
    let open = true;
    const settle = (back: number): void => {
      if (!open) return;
      open = false;
      this.held -= count;
      this.tokens = Math.min(this.capacity, this.tokens + back);
    };
    return { commit: () => settle(0), cancel: () => settle(count) };
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

  /** The tokens there are and the time they were counted at, to make a bucket `from` later. */
  snapshot(): Snapshot {
    this.refill();
    return {
      tokens: this.tokens,
      at: this.updatedAt,
    };
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
