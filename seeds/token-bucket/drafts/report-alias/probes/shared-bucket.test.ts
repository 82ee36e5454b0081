import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TokenBucket } from '../src/bucket.ts';
import { ManualClock } from '../src/clock.ts';
import { Registry } from '../src/registry.ts';

// Optional calls: without the method the assertion fails, and the other tests still run.

const make = () => new TokenBucket({ capacity: 3, refillPerSecond: 1, clock: new ManualClock() });
const rowOf = (registry: Registry, key: string) => registry.report?.().find((row) => row.key === key);

describe('shared bucket', () => {
  it('under both names', () => {
    const registry = new Registry({ make });
    registry.tryTake('ann', 2);
    registry.alias?.('bob', 'ann');
    assert.equal(registry.get('bob').available(), 1);
    assert.deepEqual(registry.keys(), ['ann']);
  });
});
