import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('takeUpTo', () => {
  it('takes what there is', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    assert.equal(bucket.takeUpTo?.(4), 4);
    assert.equal(bucket.takeUpTo?.(9), 6);
    assert.equal(bucket.available(), 0);
  });
});

describe('minLeft', () => {
  it('refuses a take that leaves too little', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, minLeft: 3, clock: new ManualClock() });
    assert.equal(bucket.tryTake(8), false);
    assert.equal(bucket.available(), 10);
  });

  it('allows a take that leaves just enough', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, minLeft: 3, clock: new ManualClock() });
    assert.equal(bucket.tryTake(8), false);
    assert.equal(bucket.tryTake(7), true);
  });
});

describe('takeUpTo with minLeft', () => {
  it('stops at the rest', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, minLeft: 3, clock: new ManualClock() });
    assert.equal(bucket.takeUpTo?.(9), 7);
    assert.equal(bucket.available(), 3);
  });
});
