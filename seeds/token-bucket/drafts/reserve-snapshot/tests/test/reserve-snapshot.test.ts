import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

const settings = { capacity: 10, refillPerSecond: 1 };

describe('reserve', () => {
  it('sets tokens aside', () => {
    const bucket = new TokenBucket({ ...settings, clock: new ManualClock() });
    assert.ok(bucket.reserve?.(4));
    assert.equal(bucket.available(), 6);
    assert.equal(bucket.tryTake(7), false);
  });

  it('answers null when the tokens are not there', () => {
    const bucket = new TokenBucket({ ...settings, clock: new ManualClock() });
    assert.equal(bucket.reserve?.(11), null);
    assert.equal(bucket.available(), 10);
  });

  it('gives tokens back on cancel, once', () => {
    const bucket = new TokenBucket({ ...settings, clock: new ManualClock() });
    const reservation = bucket.reserve?.(4);
    assert.equal(bucket.available(), 6);
    reservation?.cancel();
    assert.equal(bucket.available(), 10);
    bucket.tryTake(8);
    reservation?.cancel();
    assert.equal(bucket.available(), 2);
  });

  it('keeps tokens on commit, whatever comes after', () => {
    const bucket = new TokenBucket({ ...settings, clock: new ManualClock() });
    const reservation = bucket.reserve?.(4);
    reservation?.commit();
    reservation?.cancel();
    assert.equal(bucket.available(), 6);
  });
});

describe('snapshot', () => {
  it('holds tokens and time', () => {
    const clock = new ManualClock(5000);
    const bucket = new TokenBucket({ ...settings, clock });
    bucket.tryTake(8);
    clock.advance(3000);
    assert.equal(bucket.snapshot?.().tokens, 5);
    assert.equal(bucket.snapshot?.().at, 8000);
  });

  it('is where a new bucket goes on', () => {
    const clock = new ManualClock(4000);
    const bucket = new TokenBucket({ ...settings, from: { tokens: 2, at: 1000 }, clock });
    assert.equal(bucket.available(), 5);
    clock.advance(1000);
    assert.equal(bucket.available(), 6);
  });
});

describe('reserve and snapshot', () => {
  it('counts open reservations as still there', () => {
    const bucket = new TokenBucket({ ...settings, clock: new ManualClock() });
    bucket.tryTake(3);
    bucket.reserve?.(4);
    assert.equal(bucket.available(), 3);
    assert.equal(bucket.snapshot?.().tokens, 7);
  });

  it('counts a settled reservation no more', () => {
    const bucket = new TokenBucket({ ...settings, clock: new ManualClock() });
    const first = bucket.reserve?.(2);
    const second = bucket.reserve?.(3);
    first?.commit();
    assert.equal(bucket.snapshot?.().tokens, 8);
    second?.cancel();
    assert.equal(bucket.snapshot?.().tokens, 8);
  });
});
