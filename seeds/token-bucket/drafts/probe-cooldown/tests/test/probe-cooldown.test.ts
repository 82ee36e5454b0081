import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ManualClock } from '../src/clock.ts';
import { SlidingWindow } from '../src/window.ts';

describe('cooldown', () => {
  it('denies every hit until it is over', () => {
    const clock = new ManualClock();
    const window = new SlidingWindow({ limit: 1, windowMs: 1000, cooldownMs: 5000, clock });
    window.tryHit();
    assert.equal(window.tryHit(), false);
    clock.advance(4999);
    assert.equal(window.tryHit(), false);
    clock.advance(1);
    assert.equal(window.tryHit(), true);
  });

  it('is not prolonged by hits that it denies', () => {
    const clock = new ManualClock();
    const window = new SlidingWindow({ limit: 2, windowMs: 1000, cooldownMs: 5000, clock });
    assert.equal(window.tryHit(3), false);
    clock.advance(3000);
    assert.equal(window.tryHit(), false);
    clock.advance(2000);
    assert.equal(window.tryHit(), true);
  });
});

describe('question', () => {
  it('is answered with false when nothing more fits', () => {
    const window = new SlidingWindow({ limit: 3, windowMs: 1000, clock: new ManualClock() });
    window.tryHit(3);
    assert.equal(window.tryHit(0), false);
    assert.equal(window.used(), 3);
  });

  it('is answered with true again when the window has passed', () => {
    const clock = new ManualClock();
    const window = new SlidingWindow({ limit: 2, windowMs: 1000, clock });
    window.tryHit();
    assert.equal(window.tryHit(0), true);
    window.tryHit();
    assert.equal(window.tryHit(0), false);
    clock.advance(1000);
    assert.equal(window.tryHit(0), true);
  });
});

describe('question and cooldown', () => {
  it('starts none and is answered with false during one', () => {
    const clock = new ManualClock();
    const window = new SlidingWindow({ limit: 1, windowMs: 1000, cooldownMs: 5000, clock });
    window.tryHit();
    assert.equal(window.tryHit(0), false);
    clock.advance(1000);
    assert.equal(window.tryHit(), true);
    assert.equal(window.tryHit(), false);
    clock.advance(1000);
    assert.equal(window.tryHit(0), false);
    clock.advance(4000);
    assert.equal(window.tryHit(0), true);
  });
});
