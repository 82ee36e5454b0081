import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('zero or fewer', () => {
  it('changes nothing', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(5);
    assert.equal(bucket.refund?.(0), 0);
    assert.equal(bucket.refund?.(-3), 0);
    assert.equal(bucket.available(), 5);
  });
});
