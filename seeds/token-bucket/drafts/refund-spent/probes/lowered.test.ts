import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('lowered', () => {
  it('by what went back', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(2);
    bucket.refund?.(5);
    assert.equal(bucket.spent?.(), 0);
    bucket.tryTake(6);
    bucket.refund?.(1);
    assert.equal(bucket.spent?.(), 5);
  });
});
