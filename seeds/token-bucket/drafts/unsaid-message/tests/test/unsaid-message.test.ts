import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('takeOrThrow', () => {
  it('throws when the tokens are not there', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.takeOrThrow?.(4);
    assert.equal(bucket.available(), 6);
    assert.throws(() => bucket.takeOrThrow?.(7), { message: 'bucket has run dry' });
  });
});

describe('tryTakeAll', () => {
  it('takes all or nothing', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    assert.equal(bucket.tryTakeAll?.([5, 6]), false);
    assert.equal(bucket.tryTakeAll?.([5, 4]), true);
    assert.equal(bucket.available(), 1);
  });
});
