import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('goes back', () => {
  it('as far as it fits', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(4);
    assert.equal(bucket.refund?.(3), 3);
    assert.equal(bucket.available(), 9);
    assert.equal(bucket.refund?.(3), 1);
    assert.equal(bucket.available(), 10);
  });
});
