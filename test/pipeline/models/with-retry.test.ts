import { expect, test } from 'vitest';
import { completionOf } from '../../../pipeline/models/completion-of.ts';
import { openGate, withRetry } from '../../../pipeline/models/with-retry.ts';
import type { Completion } from '../../../schemas/completion.ts';
import { Fault } from '../../../stages/fault.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { modelRequest } from '../../support/model-request.ts';

const never = new AbortController().signal;
const said = (parts: Partial<Completion> = {}) =>
  completionOf({ text: 'a', provider: 'openai', modelRequested: 'tiny', ...parts });
const down = new Fault('down', { code: 'model-unavailable', retryable: true });
const asking = (ms: number) =>
  new Fault('slow', { code: 'model-unavailable', retryable: true, retryAfterMs: ms });

/** A model that plays these endings; the last for ever. */
function playing(...endings: (Completion | Error)[]) {
  const clock = fakeClock(0);
  const told: string[] = [];
  let calls = 0;
  const inner = {
    async complete() {
      const ending = endings[Math.min(calls++, endings.length - 1)];
      if (!ending || ending instanceof Error) throw ending;
      return ending;
    },
  };
  const patience = {
    name: 'tiny',
    clock,
    tries: 4,
    firstWaitMs: 1000,
    patienceMs: 60_000,
    tell: (line: string) => told.push(line),
  };
  const model = withRetry(inner, openGate(patience), patience);
  return {
    clock,
    told,
    calls: () => calls,
    ask: (signal = never) => model.complete(modelRequest(), signal),
  };
}

test('a fault that may pass is waited out, twice as long each time', async () => {
  const { clock, ask } = playing(down, down, said());
  expect(await ask()).toMatchObject({ text: 'a' });
  expect(clock.slept).toEqual([1000, 2000]);
});

test('the last try throws what it met', async () => {
  const { ask, calls } = playing(down);
  await expect(ask()).rejects.toBe(down);
  expect(calls()).toBe(4);
});

test.each([
  ['a used-up quota', new Fault('out', { code: 'quota-exhausted' })],
  ['a used-up budget', new Fault('out', { code: 'budget-exhausted' })],
  ['a bug', new TypeError('oops')],
])('%s is met once', async (_what, error) => {
  const { ask, calls } = playing(error);
  await expect(ask()).rejects.toBe(error);
  expect(calls()).toBe(1);
});

test.each(['truncated', 'aborted', 'idle-timeout', 'unreadable'] as const)(
  'an answer that ended as %s is asked for again, then a fault',
  async (finish) => {
    const { ask, calls } = playing(said({ finish }));
    await expect(ask()).rejects.toMatchObject({
      code: 'model-unreadable',
      message: expect.stringContaining(finish),
    });
    expect(calls()).toBe(4);
  },
);

test.each([
  ['a cut answer', { finish: 'length' }],
  ['half an object', { text: '{"a": "b' }],
  ['a refusal', { finish: 'refused' }],
] as const)("%s is the model's own, and is handed on", async (_what, parts) => {
  const { ask, calls } = playing(said(parts));
  expect(await ask()).toMatchObject(parts);
  expect(calls()).toBe(1);
});

test('what the server asks for holds instead of our own wait', async () => {
  const { clock, ask } = playing(asking(7000), said());
  await ask();
  expect(clock.slept).toEqual([7000]);
});

test('a wait beyond the patience pauses the provider for every caller, until it is over', async () => {
  const { clock, told, ask, calls } = playing(asking(3_600_000), said());
  await expect(ask()).rejects.toMatchObject({
    code: 'model-unavailable',
    message: expect.stringContaining('is paused'),
  });
  await expect(ask()).rejects.toThrow('1970-01-01T01:00:00.000Z');
  expect(calls()).toBe(1);
  expect(told).toHaveLength(1);
  expect(clock.slept).toEqual([]);
  clock.advance(3_600_000);
  expect(await ask()).toMatchObject({ text: 'a' });
});

test('an abort ends a wait', async () => {
  const stop = new AbortController();
  const { ask } = playing(new Fault('down', { code: 'model-unavailable', retryable: true }));
  stop.abort();
  await expect(ask(stop.signal)).rejects.toMatchObject({ name: 'AbortError' });
});
