import { expect, test } from 'vitest';
import { guessUsd } from '../../../pipeline/ledger/money.ts';
import { scripted } from '../../../pipeline/models/scripted.ts';
import { type Caps, openMeter, withBudget } from '../../../pipeline/models/with-budget.ts';
import { Fault } from '../../../stages/fault.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { modelRequest } from '../../support/model-request.ts';

const never = new AbortController().signal;
const noCaps: Caps = { usd: null, calls: null, wall_s: null };
const dollarPerAnswer = { input: 0, output: 1_000_000 };
const answer = { text: 'a', usage: { input: 0, cachedInput: null, output: 1, reasoning: null } };

function metered(caps: Partial<Caps>, spent = { usd: 0, calls: 0 }) {
  const clock = fakeClock(0);
  const meter = openMeter({ caps: { ...noCaps, ...caps }, clock, spent, guess: guessUsd });
  const model = scripted({ answers: () => answer });
  const asker = (price: typeof dollarPerAnswer | null, isFree = false, inner = model) => {
    const bounded = withBudget(inner, { meter, price, isFree });
    return () => bounded.complete(modelRequest(), never);
  };
  return { clock, meter, asker };
}

test('the call after the last allowed one is not made', async () => {
  const ask = metered({ calls: 3 }, { usd: 0, calls: 1 }).asker(null, true);
  await ask();
  await ask();
  await expect(ask()).rejects.toMatchObject({
    code: 'budget-exhausted',
    retryable: false,
    message: expect.stringContaining('"budget.calls"'),
  });
});

test('time that has passed stops the next call', async () => {
  const { clock, asker } = metered({ wall_s: 10 });
  const ask = asker(null, true);
  await ask();
  clock.advance(10_000);
  await expect(ask()).rejects.toThrow('"budget.wall_s"');
});

test('a call is stopped before it could break the cap, and what is known replaces the guess', async () => {
  // A guess of 4,000 tokens of answer at one dollar each; the answers turn out to cost a dollar.
  const ask = metered({ usd: 4002 }).asker(dollarPerAnswer);
  await ask();
  await ask();
  await ask();
  await expect(ask()).rejects.toThrow('"budget.usd"');
});

test('calls under way count, so that parallel ones cannot overshoot', async () => {
  const ask = metered({ usd: 9000 }).asker(dollarPerAnswer);
  const ends = await Promise.allSettled([ask(), ask(), ask()]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

test('C22: a model of unknown price is guessed, neither refused nor free', async () => {
  const ask = metered({ usd: 0.15 }).asker(null);
  await ask();
  await ask();
  const { asker } = metered({ usd: 0.05 });
  await expect(asker(null)()).rejects.toThrow('"budget.usd"');
});

test('recorded answers cost nothing', async () => {
  const ask = metered({ usd: 0 }).asker(null, true);
  expect(await ask()).toMatchObject({ text: 'a' });
});

test('what earlier sittings spent is spent', async () => {
  const ask = metered({ usd: 5000 }, { usd: 2000, calls: 0 }).asker(dollarPerAnswer);
  await expect(ask()).rejects.toThrow('2000.0000 of 5000 USD');
});

test.each([
  ['refused', new Fault('down', { code: 'model-unavailable' }), 'fulfilled'],
  ['killed', new DOMException('stop', 'AbortError'), 'rejected'],
])('a call that was %s leaves room for another: %s', async (_how, error, status) => {
  const { asker } = metered({ usd: 5000 });
  const failing = { complete: () => Promise.reject(error) };
  await expect(asker(dollarPerAnswer, false, failing)()).rejects.toBe(error);
  const [end] = await Promise.allSettled([asker(dollarPerAnswer)()]);
  expect(end?.status).toBe(status);
});
