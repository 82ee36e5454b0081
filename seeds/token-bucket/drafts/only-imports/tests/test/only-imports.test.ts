import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ManualClock } from '../src/clock.ts';
import { WaitingLine } from '../src/line.ts';
import { SlidingWindow } from '../src/window.ts';

const line = (limit: number) =>
  new WaitingLine(new SlidingWindow({ limit, windowMs: 1000, clock: new ManualClock() }));

describe('join', () => {
  it('makes the line longer', () => {
    const people = line(1);
    people.join('ann');
    people.join('bob');
    assert.equal(people.length(), 2);
  });
});

describe('serve', () => {
  it('serves in order while the window has room', () => {
    const people = line(1);
    people.join('ann');
    people.join('bob');
    assert.equal(people.serve(), 'ann');
    assert.equal(people.serve(), null);
    assert.equal(people.length(), 1);
  });
});
