import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('peak', () => {
  it('is the largest take', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(2);
    bucket.tryTake(5);
    bucket.tryTake(1);
    assert.equal(bucket.peak?.(), 5);
  });

  it('does not count a take that was refused', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(4);
    bucket.tryTake(7);
    assert.equal(bucket.peak?.(), 4);
  });
});

describe('reset', () => {
  it('fills the bucket', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(9);
    bucket.reset?.();
    assert.equal(bucket.available(), 10);
  });
});

describe('peak and reset', () => {
  it('starts again at 0', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(6);
    bucket.reset?.();
    assert.equal(bucket.peak?.(), 0);
    bucket.tryTake(2);
    assert.equal(bucket.peak?.(), 2);
    assert.equal(bucket.available(), 8);
  });
});
