import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';
import { Registry } from '../src/registry.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

const make = () => new TokenBucket({ capacity: 3, refillPerSecond: 1, clock: new ManualClock() });

describe('sweep', () => {
  it('deletes the full buckets and counts them', () => {
    const registry = new Registry({ make });
    registry.get('ann');
    registry.tryTake('bob');
    registry.get('cid');
    assert.equal(registry.sweep?.(), 2);
    assert.deepEqual(registry.keys(), ['bob']);
  });

  it('keeps every bucket that is not full', () => {
    const registry = new Registry({ make });
    registry.tryTake('ann');
    registry.tryTake('bob', 3);
    assert.equal(registry.sweep?.(), 0);
    assert.equal(registry.tryTake('bob'), false);
  });
});

describe('hold', () => {
  it('keeps a key that would have to make room', () => {
    const registry = new Registry({ make, maxKeys: 2 });
    registry.get('ann');
    registry.hold?.('ann');
    registry.get('bob');
    registry.get('cid');
    assert.deepEqual(registry.keys().sort(), ['ann', 'cid']);
  });

  it('ends with a release', () => {
    const registry = new Registry({ make, maxKeys: 2 });
    registry.get('ann');
    registry.hold?.('ann');
    registry.get('bob');
    registry.get('cid');
    assert.deepEqual(registry.keys().sort(), ['ann', 'cid']);
    registry.release?.('ann');
    registry.get('bob');
    assert.deepEqual(registry.keys().sort(), ['bob', 'cid']);
  });
});

describe('rename', () => {
  it('moves the bucket as it is', () => {
    const registry = new Registry({ make });
    registry.tryTake('ann', 2);
    assert.equal(registry.rename?.('ann', 'bob'), true);
    assert.deepEqual(registry.keys(), ['bob']);
    assert.equal(registry.get('bob').available(), 1);
  });

  it('refuses when there is nothing to move', () => {
    const registry = new Registry({ make });
    assert.equal(registry.rename?.('ann', 'bob'), false);
    assert.deepEqual(registry.keys(), []);
  });

  it('refuses when the new key is taken', () => {
    const registry = new Registry({ make });
    registry.tryTake('ann', 2);
    registry.get('bob');
    assert.equal(registry.rename?.('ann', 'bob'), false);
    assert.equal(registry.get('ann').available(), 1);
    assert.equal(registry.get('bob').available(), 3);
  });
});

describe('sweep and hold', () => {
  it('leaves a held key alone', () => {
    const registry = new Registry({ make });
    registry.get('ann');
    registry.get('bob');
    registry.hold?.('ann');
    assert.equal(registry.sweep?.(), 1);
    assert.deepEqual(registry.keys(), ['ann']);
  });
});

describe('hold and rename', () => {
  it('holds the new key', () => {
    const registry = new Registry({ make, maxKeys: 2 });
    registry.get('ann');
    registry.hold?.('ann');
    registry.rename?.('ann', 'bob');
    registry.get('cid');
    registry.get('ann');
    assert.deepEqual(registry.keys().sort(), ['ann', 'bob']);
  });
});
