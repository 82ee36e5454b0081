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
  private readonly held = new Set<string>();

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
      if (this.held.has(oldest)) continue;
      this.delete(oldest);
    }

    return bucket;
  }

  /** Takes from the bucket of `key`. */
  tryTake(key: string, count = 1): boolean {
    return this.get(key).tryTake(count);
  }

  /** Deletes every key whose bucket is full and says how many there were. */
  sweep(): number {
    let swept = 0;
    for (const [key, bucket] of this.buckets) {
      if (bucket.available() < bucket.capacity) continue;
      this.delete(key);
      swept += 1;
    }
    return swept;
  }

  /** Forgets a key and says whether it was there. */
  delete(key: string): boolean {
    const there = this.buckets.delete(key);
    if (there) this.onEvict?.(key);
    return there;
  }

  /** Keeps a key from being dropped until it is released. */
  hold(key: string): void {
    this.held.add(key);
  }

  /** Ends a hold. */
  release(key: string): void {
    this.held.delete(key);
  }

  /** The keys there are. */
  keys(): string[] {
    return [...this.buckets.keys()];
  }
}
