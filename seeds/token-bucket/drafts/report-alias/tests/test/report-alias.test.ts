import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';
import { Registry } from '../src/registry.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

const make = () => new TokenBucket({ capacity: 3, refillPerSecond: 1, clock: new ManualClock() });

const rowOf = (registry: Registry, key: string) => registry.report?.().find((row) => row.key === key);

describe('report', () => {
  it('has a row for each key', () => {
    const registry = new Registry({ make });
    registry.tryTake('bob');
    registry.get('ann');
    assert.deepEqual(registry.report?.(), [
      { key: 'bob', granted: 1, denied: 0 },
      { key: 'ann', granted: 0, denied: 0 },
    ]);
  });

  it('counts what was granted and denied', () => {
    const registry = new Registry({ make });
    registry.tryTake('ann', 2);
    registry.tryTake('ann', 2);
    registry.tryTake('ann');
    registry.tryTake('bob', 4);
    assert.equal(rowOf(registry, 'ann')?.granted, 2);
    assert.equal(rowOf(registry, 'ann')?.denied, 1);
    assert.equal(rowOf(registry, 'bob')?.denied, 1);
    assert.equal(registry.report?.().length, 2);
  });

  it('starts from zero after a delete', () => {
    const registry = new Registry({ make });
    registry.tryTake('ann');
    registry.tryTake('ann', 3);
    registry.delete('ann');
    assert.equal(rowOf(registry, 'ann'), undefined);
    registry.tryTake('ann');
    assert.equal(rowOf(registry, 'ann')?.granted, 1);
    assert.equal(rowOf(registry, 'ann')?.denied, 0);
  });
});

describe('alias', () => {
  it('shares the bucket of the key', () => {
    const registry = new Registry({ make });
    registry.alias?.('cid', 'ann');
    assert.equal(registry.tryTake('cid', 3), true);
    assert.equal(registry.tryTake('ann'), false);
  });

  it('makes no key', () => {
    const registry = new Registry({ make });
    registry.alias?.('cid', 'ann');
    assert.equal(registry.get('cid'), registry.get('ann'));
    assert.deepEqual(registry.keys(), ['ann']);
  });
});

describe('report and alias', () => {
  it('counts takes through an alias for its key', () => {
    const registry = new Registry({ make });
    registry.alias?.('cid', 'ann');
    registry.tryTake('ann');
    registry.tryTake('cid');
    registry.tryTake('cid', 2);
    assert.equal(rowOf(registry, 'ann')?.granted, 2);
    assert.equal(rowOf(registry, 'ann')?.denied, 1);
    assert.equal(rowOf(registry, 'cid'), undefined);
  });
});
