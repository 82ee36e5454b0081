import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('taken only', () => {
  it('counts granted takes', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(7);
    bucket.tryTake(4);
    bucket.tryTake(3);
    assert.equal(bucket.spent?.(), 10);
  });
});
