import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';
import { Registry } from '../src/registry.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

const make = () => new TokenBucket({ capacity: 3, refillPerSecond: 1, clock: new ManualClock() });

describe('isFull', () => {
  it('tells a full bucket from others', () => {
    const bucket = make();
    assert.equal(bucket.isFull?.(), true);
    bucket.tryTake();
    assert.equal(bucket.isFull?.(), false);
  });
});

describe('has', () => {
  it('knows the keys there are and makes none', () => {
    const registry = new Registry({ make });
    registry.get('ann');
    assert.equal(registry.has?.('ann'), true);
    assert.equal(registry.has?.('bob'), false);
    assert.deepEqual(registry.keys(), ['ann']);
  });
});
