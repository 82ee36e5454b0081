import { checkPositive } from './checks.ts';
import type { Clock } from './clock.ts';

/** What a window is made from. */
export interface WindowOptions {
  /** The most that may be hit within one window. */
  limit: number;
  /** The length of the window in milliseconds. */
  windowMs: number;
  /** Where the time comes from. */
  clock: Clock;
  // BEGIN EDITABLE options
  // Further options go here.
  // END EDITABLE options
}

interface Hit {
  at: number;
  cost: number;
}

/** A sliding window: what was hit in the last `windowMs` milliseconds stays below `limit`. */
export class SlidingWindow {
  private readonly options: WindowOptions;
  private hits: Hit[] = [];
  // BEGIN EDITABLE state
  // Further state goes here.
  // END EDITABLE state

  constructor(options: WindowOptions) {
    checkPositive('limit', options.limit);
    checkPositive('windowMs', options.windowMs);
    this.options = options;
  }

  /** Records a hit if it fits into the window and says whether it did. */
  tryHit(cost = 1): boolean {
    const now = this.options.clock.now();
    // BEGIN EDITABLE admit
    if (cost === 0) return this.used() + 1 <= this.options.limit;
    // Room is made first.
    this.forgetOld(now);
    // Then the hit must fit.
    if (this.used() + cost > this.options.limit) {
      return false;
    }
    this.hits.push({ at: now, cost });
    return true;
    // END EDITABLE admit
  }

  /** The cost of all hits within the window. */
  used(): number {
    this.forgetOld(this.options.clock.now());
    return this.hits.reduce((sum, hit) => sum + hit.cost, 0);
  }

  private forgetOld(now: number): void {
    this.hits = this.hits.filter((hit) => now - hit.at < this.options.windowMs);
  }
}
