import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('refund', () => {
  it('gives tokens back', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(6);
    assert.equal(bucket.refund?.(2), 2);
    assert.equal(bucket.available(), 6);
    assert.equal(bucket.refund?.(1), 1);
    assert.equal(bucket.available(), 7);
  });

  it('gives back no more than fits', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake();
    assert.equal(bucket.refund?.(5), 1);
    assert.equal(bucket.available(), 10);
  });

  it('ignores a refund of nothing', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(5);
    assert.equal(bucket.refund?.(0), 0);
    assert.equal(bucket.available(), 5);
  });
});

describe('spent', () => {
  it('adds up what was taken', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    assert.equal(bucket.spent?.(), 0);
    bucket.tryTake(3);
    bucket.tryTake(2);
    assert.equal(bucket.spent?.(), 5);
  });

  it('does not count what was refused', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(11);
    assert.equal(bucket.spent?.(), 0);
    bucket.tryTake(10);
    bucket.tryTake();
    assert.equal(bucket.spent?.(), 10);
  });
});

describe('refund and spent', () => {
  it('counts a refund as not spent', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.tryTake(5);
    assert.equal(bucket.refund?.(2), 2);
    assert.equal(bucket.spent?.(), 3);
  });

  it('counts only what really went back', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock });
    bucket.tryTake(5);
    clock.advance(4000);
    assert.equal(bucket.refund?.(3), 1);
    assert.equal(bucket.spent?.(), 4);
  });
});
