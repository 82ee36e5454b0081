import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('ratio', () => {
  it('is between 0 and 1', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, overdraft: 5, clock: new ManualClock() });
    assert.equal(bucket.fillRatio?.(), 1);
    bucket.tryTake(6);
    assert.equal(bucket.fillRatio?.(), 0.4);
    bucket.tryTake(6);
    assert.equal(bucket.fillRatio?.(), 0);
  });
});

describe('isLow', () => {
  it('compares with a share', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(6);
    assert.equal(bucket.isLow?.(0.5), true);
    assert.equal(bucket.isLow?.(0.4), false);
  });
});
