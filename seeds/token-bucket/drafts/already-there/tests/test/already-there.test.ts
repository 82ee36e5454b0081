import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('too large a take', () => {
  it('is refused', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    assert.equal(bucket.tryTake(11), false);
    assert.equal(bucket.available(), 10);
  });

  it('is refused after any time', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock });
    clock.advance(3_600_000);
    assert.equal(bucket.tryTake(11), false);
  });
});

describe('refillTime', () => {
  it('is the time until the bucket is full', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(4);
    bucket.tryTake(11);
    assert.equal(bucket.refillTime?.(), 4000);
  });
});
