import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';
import { Registry } from '../src/registry.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

const make = () => new TokenBucket({ capacity: 3, refillPerSecond: 1, clock: new ManualClock() });
const rowOf = (registry: Registry, key: string) => registry.report?.().find((row) => row.key === key);

describe('zero after delete', () => {
  it('for both numbers', () => {
    const registry = new Registry({ make });
    registry.tryTake('ann', 3);
    registry.tryTake('ann');
    registry.delete('ann');
    registry.get('ann');
    assert.equal(rowOf(registry, 'ann')?.granted, 0);
    assert.equal(rowOf(registry, 'ann')?.denied, 0);
  });
});
