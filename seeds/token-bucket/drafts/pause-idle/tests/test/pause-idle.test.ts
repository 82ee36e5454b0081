import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

describe('pause', () => {
  it('accrues nothing while paused', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ capacity: 10, initial: 1, refillPerSecond: 1, clock });
    bucket.pause?.();
    clock.advance(5000);
    assert.equal(bucket.available(), 1);
    bucket.resume?.();
    assert.equal(bucket.available(), 1);
    clock.advance(2000);
    assert.equal(bucket.available(), 3);
  });

  it('refuses takes until it goes on', () => {
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, clock: new ManualClock() });
    bucket.pause?.();
    assert.equal(bucket.tryTake(), false);
    bucket.resume?.();
    assert.equal(bucket.tryTake(), true);
  });

  it('is the same when paused twice', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ capacity: 10, initial: 0, refillPerSecond: 1, clock });
    bucket.pause?.();
    clock.advance(1000);
    bucket.pause?.();
    clock.advance(1000);
    bucket.resume?.();
    assert.equal(bucket.available(), 0);
  });
});

describe('idle', () => {
  it('is full after the idle time, whatever the rate', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ capacity: 10, initial: 0, refillPerSecond: 1, idleMs: 4000, clock });
    clock.advance(3999);
    assert.ok(bucket.available() < 4);
    clock.advance(1);
    assert.equal(bucket.available(), 10);
  });

  it('counts from the last take that succeeded', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, idleMs: 4000, clock });
    clock.advance(3000);
    bucket.tryTake(10);
    clock.advance(2000);
    assert.equal(bucket.tryTake(9), false);
    assert.equal(bucket.available(), 2);
    clock.advance(2000);
    assert.equal(bucket.available(), 10);
  });
});

describe('pause and idle', () => {
  it('does not count paused time as idle', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ capacity: 10, initial: 0, refillPerSecond: 1, idleMs: 4000, clock });
    clock.advance(1000);
    bucket.pause?.();
    clock.advance(60_000);
    bucket.resume?.();
    assert.equal(bucket.available(), 1);
    clock.advance(2999);
    assert.ok(bucket.available() < 4);
    clock.advance(1);
    assert.equal(bucket.available(), 10);
  });

  it('does not become full by a pause of exactly the idle time', () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ capacity: 10, refillPerSecond: 1, idleMs: 4000, clock });
    bucket.tryTake(10);
    bucket.pause?.();
    clock.advance(4000);
    bucket.resume?.();
    assert.equal(bucket.available(), 0);
    clock.advance(4000);
    assert.equal(bucket.available(), 10);
  });
});
