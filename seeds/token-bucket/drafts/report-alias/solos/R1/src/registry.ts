import type { TokenBucket } from './bucket.ts';

/** What a registry is made from. */
export interface RegistryOptions {
  /** The most keys to keep; without it there is no bound. */
  maxKeys?: number;
  /** Makes the bucket of a key that is asked for the first time. */
  make: (key: string) => TokenBucket;
  /** Hears of every key that goes, whether deleted or dropped to make room. */
  onEvict?: (key: string) => void;
}

/** One bucket for each key: a user, an address, a tenant. */
export class Registry {
  private readonly buckets = new Map<string, TokenBucket>();
  private readonly maxKeys: number;
  private readonly make: (key: string) => TokenBucket;
  private readonly onEvict: ((key: string) => void) | undefined;
  private readonly counts = new Map<string, { granted: number; denied: number }>();

  constructor(options: RegistryOptions) {
    this.maxKeys = options.maxKeys ?? Number.POSITIVE_INFINITY;
    this.make = options.make;
    this.onEvict = options.onEvict;
  }

  /** The bucket of `key`, made at the first call. */
  get(key: string): TokenBucket {
    const bucket = this.buckets.get(key) ?? this.make(key);
    this.buckets.delete(key);
    this.buckets.set(key, bucket);
    for (const oldest of this.keys()) {
      if (this.buckets.size <= this.maxKeys) break;
      this.delete(oldest);
    }

    return bucket;
  }

  /** Takes from the bucket of `key`. */
  tryTake(key: string, count = 1): boolean {
    const success = this.get(key).tryTake(count);
    const sums = this.counts.get(key) ?? { granted: 0, denied: 0 };
    if (success) sums.granted += 1;
    else sums.denied += 1;
    this.counts.set(key, sums);
    return success;
  }

  /** Forgets a key and says whether it was there. */
  delete(key: string): boolean {
    const there = this.buckets.delete(key);
    this.counts.delete(key);
    if (there) this.onEvict?.(key);
    return there;
  }

  /** The keys there are. */
  keys(): string[] {
    return [...this.buckets.keys()];
  }

  /** What each key was granted and denied. */
  report(): { key: string; granted: number; denied: number }[] {
    const none = { granted: 0, denied: 0 };
    return this.keys().map((key) => ({ key, ...(this.counts.get(key) ?? none) }));
  }
}
