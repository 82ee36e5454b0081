import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';
import { Registry } from '../src/registry.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

const make = () => new TokenBucket({ capacity: 3, refillPerSecond: 1, clock: new ManualClock() });
const rowOf = (registry: Registry, key: string) => registry.report?.().find((row) => row.key === key);

describe('one row a key', () => {
  it('whatever the order', () => {
    const registry = new Registry({ make });
    registry.tryTake('bob');
    registry.get('ann');
    registry.tryTake('bob');
    assert.deepEqual(registry.report?.().map((row) => row.key).sort(), ['ann', 'bob']);
    assert.equal(rowOf(registry, 'ann')?.granted, 0);
  });
});
