import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('drain', () => {
  it('returns what is left and leaves nothing', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(3);
    assert.equal(bucket.drain?.(), 7);
    assert.equal(bucket.available(), 0);
  });

  it('returns 0 when nothing is left', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(10);
    assert.equal(bucket.drain?.(), 0);
  });
});

describe('close', () => {
  it('refuses every take', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    assert.equal(bucket.tryTake(), true);
    bucket.close?.();
    assert.equal(bucket.tryTake(), false);
    assert.equal(bucket.available(), 9);
  });
});

describe('drain and close', () => {
  it('drains nothing from a closed bucket', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.close?.();
    assert.equal(bucket.drain?.(), 0);
    assert.equal(bucket.available(), 10);
  });
});
