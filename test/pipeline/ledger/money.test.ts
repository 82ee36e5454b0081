import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Money, moneyOf } from '../../../pipeline/ledger/money.ts';
import { type OpenLedger, openLedger } from '../../../pipeline/ledger/open.ts';
import { withLedgerCalls, withLedgerModel } from '../../../pipeline/ledger/with-ledger-model.ts';
import type { Completion, ModelRequest } from '../../../schemas/completion.ts';
import type { Usage } from '../../../schemas/usage.ts';
import type { Model } from '../../../stages/context.ts';
import { Fault } from '../../../stages/fault.ts';

let folder = '';
let ledger: OpenLedger;
const reopen = () => {
  ledger = openLedger({ folder, mode: 'write', clock: { now: () => 1 } });
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'money-'));
  reopen();
});
afterEach(() => {
  ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

const signal = new AbortController().signal;
const price = { input: 2, cached_input: 0.5, output: 10 };
const request = (role: ModelRequest['role'], replicate = 0): ModelRequest => ({
  role,
  entrant: 'strong',
  subject: 'task-1',
  condition: 'edits',
  replicate,
  attempt: 1,
  reask: 0,
  messages: [{ role: 'user', content: 'do it' }],
  schema: null,
  parameters: {},
});
const usage = (input: number | null, cachedInput: number | null, output: number | null): Usage => ({
  input,
  cachedInput,
  output,
  reasoning: null,
});
const answer = (used: Usage, finish: Completion['finish'] = 'stop'): Completion => ({
  text: 'done \u{1f600}',
  finish,
  provider: 'openai',
  modelRequested: 'm',
  modelReturned: 'm-1',
  responseId: 'id',
  fromReasoning: false,
  usage: used,
  provenance: null,
});

/** A provider that takes the next of its replies: an answer, an error, or silence for ever. */
function provider(...replies: readonly (Completion | Error | 'silent')[]) {
  const queue = [...replies];
  const asked: ModelRequest[] = [];
  const model: Model = {
    async complete(asking) {
      asked.push(asking);
      const reply = queue.shift();
      if (reply === undefined) throw new Error('the provider was asked once too often');
      if (reply === 'silent') return new Promise(() => undefined);
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
  return { model, asked };
}
const called = (model: Model, known: typeof price | null = price) =>
  withLedgerCalls(model, { ledger, record: 'task-1', provider: 'openai', price: known });
const remembered = (model: Model | null, mode: 'write' | 'replay' = 'write') =>
  withLedgerModel(model, { ledger, mode });

const sumOf = (money: Money) => money.lines.reduce((sum, { usd }) => sum + (usd ?? 0), 0);

test('one task with retries, review, repair, a killed call and a resume: every call is one line', async () => {
  const down = new Fault('provider failed: 503', { code: 'model-unavailable', retryable: true });
  const first = provider(down, down, answer(usage(1000, 400, 100)), 'silent');
  const solver = called(first.model);
  await expect(solver.complete(request('solver'), signal)).rejects.toBe(down);
  await expect(solver.complete(request('solver'), signal)).rejects.toBe(down);
  await solver.complete(request('solver'), signal);
  void solver.complete(request('solver', 1), signal);
  ledger.close();
  reopen();

  const second = provider(
    answer(usage(50, 0, 5)),
    answer(usage(70, 0, 7)),
    answer(usage(90, 0, 9)),
  );
  const resumed = remembered(called(second.model));
  await resumed.complete(request('solver'), signal);
  await resumed.complete(request('solver', 1), signal);
  await resumed.complete(request('reviewer'), signal);
  await resumed.complete(request('repairer'), signal);
  expect(second.asked.map(({ role, replicate }) => [role, replicate])).toEqual([
    ['solver', 1],
    ['reviewer', 0],
    ['repairer', 0],
  ]);

  const money = moneyOf(ledger.events());
  expect(money.lines.map(({ role, state, usd }) => [role, state, usd])).toEqual([
    ['solver', 'failed', null],
    ['solver', 'failed', null],
    ['solver', 'returned', (600 * 2 + 400 * 0.5 + 100 * 10) / 1e6],
    ['solver', 'open', null],
    ['solver', 'returned', (50 * 2 + 5 * 10) / 1e6],
    ['reviewer', 'returned', (70 * 2 + 7 * 10) / 1e6],
    ['repairer', 'returned', (90 * 2 + 9 * 10) / 1e6],
  ]);
  expect(new Set(money.lines.map(({ key }) => key)).size).toBe(7);
  expect(money.total).toMatchObject({ calls: 7, usd: sumOf(money), costComplete: false });
  expect(money.byRole.reviewer).toMatchObject({ calls: 1, costComplete: true });
  expect(money.byRecord['task-1']).toEqual(money.total);
  const calls = Object.values(money.byRole).reduce((sum, role) => sum + role.calls, 0);
  expect(calls).toBe(7);
});

describe('what is unknown is not 0', () => {
  test.each([
    ['no price', null, usage(10, 0, 1), 'openai'],
    ['no input tokens', price, usage(null, null, 1), 'openai'],
    ['no output tokens', price, usage(10, null, null), 'openai'],
    ['a mailbox', null, usage(null, null, null), 'mailbox'],
  ] as const)('%s: cost unknown, with an estimate above 0', async (_case, known, used, name) => {
    const { model } = provider(answer(used));
    await withLedgerCalls(model, { ledger, record: null, provider: name, price: known }).complete(
      request('solver'),
      signal,
    );
    const { total, lines } = moneyOf(ledger.events());
    expect(lines[0]?.usd).toBeNull();
    expect(total).toMatchObject({ usd: 0, costComplete: false });
    expect(total.estimateUsd).toBeGreaterThan(0);
  });

  test('a price of 0 is known', async () => {
    const { model } = provider(answer(usage(10, 0, 1)));
    const zero = { input: 0, cached_input: 0, output: 0 };
    await called(model, zero).complete(request('solver'), signal);
    expect(moneyOf(ledger.events()).total).toMatchObject({ usd: 0, costComplete: true });
  });

  test('a recorded answer is known to cost nothing', async () => {
    const { model } = provider(answer(usage(null, null, null)));
    await withLedgerCalls(model, {
      ledger,
      record: null,
      provider: 'recorded',
      price: null,
    }).complete(request('solver'), signal);
    expect(moneyOf(ledger.events()).total).toMatchObject({ usd: 0, costComplete: true });
  });

  test('a price stated later counts for the calls before it', async () => {
    const { model } = provider(answer(usage(10, 0, 1)));
    await called(model, null).complete(request('solver'), signal);
    expect(moneyOf(ledger.events(), { strong: price }).total).toMatchObject({
      usd: 30 / 1e6,
      costComplete: true,
    });
  });

  test('cached tokens without a price of their own cost what input costs', async () => {
    const { model } = provider(answer(usage(100, 100, 0)));
    await withLedgerCalls(model, {
      ledger,
      record: null,
      provider: 'openai',
      price: { input: 3, output: 1 },
    }).complete(request('solver'), signal);
    expect(moneyOf(ledger.events()).total.usd).toBe(300 / 1e6);
  });
});

describe('the memory of answers', () => {
  test('an answer comes back as it was given, from replay too', async () => {
    const given = answer(usage(1, 2, 3), 'length');
    await remembered(called(provider(given).model)).complete(request('solver'), signal);
    expect(await remembered(null, 'replay').complete(request('solver'), signal)).toEqual(given);
  });

  test('a replay that asks something new is named with its key and what was asked', async () => {
    const model = remembered(null, 'replay');
    await expect(model.complete(request('reviewer'), signal)).rejects.toThrow(
      /no answer to request [0-9a-f]{64} \(reviewer "strong" on task-1, attempt 1, re-ask 0\)/,
    );
  });

  test('an answer that we broke off ourselves is not remembered', async () => {
    const { model, asked } = provider(answer(usage(5, 0, 1), 'aborted'), answer(usage(5, 0, 2)));
    const solver = remembered(called(model));
    await solver.complete(request('solver'), signal);
    expect((await solver.complete(request('solver'), signal)).finish).toBe('stop');
    expect(asked).toHaveLength(2);
    expect(moneyOf(ledger.events()).lines.map(({ state }) => state)).toEqual([
      'failed',
      'returned',
    ]);
  });

  test('a letter that waits in a mailbox is one open call, however often a run looks in', async () => {
    const waiting = new Fault('mailbox is waiting', { code: 'model-waiting' });
    const { model } = provider(waiting, waiting, answer(usage(null, null, null)));
    const inbox = withLedgerCalls(model, {
      ledger,
      record: null,
      provider: 'mailbox',
      price: null,
    });
    await expect(inbox.complete(request('solver'), signal)).rejects.toBe(waiting);
    await expect(inbox.complete(request('solver'), signal)).rejects.toBe(waiting);
    expect(moneyOf(ledger.events()).lines.map(({ state }) => state)).toEqual(['open']);
    await inbox.complete(request('solver'), signal);
    expect(moneyOf(ledger.events()).lines.map(({ state }) => state)).toEqual(['returned']);
  });

  test('the request lies beside its answer, under its own digest', async () => {
    await called(provider(answer(usage(1, 0, 1))).model).complete(request('solver'), signal);
    const digest = ledger.events('model-returned')[0]?.key ?? '';
    expect(JSON.parse(new TextDecoder().decode(ledger.get(digest)))).toEqual(request('solver'));
  });
});
