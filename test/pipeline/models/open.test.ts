import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { guessUsd, moneyOf } from '../../../pipeline/ledger/money.ts';
import { openLedger } from '../../../pipeline/ledger/open.ts';
import { withLedgerCalls, withLedgerModel } from '../../../pipeline/ledger/with-ledger-model.ts';
import { type Around, openModels } from '../../../pipeline/models/open.ts';
import { openMeter } from '../../../pipeline/models/with-budget.ts';
import type { ModelRequest } from '../../../schemas/completion.ts';
import { ModelConfig } from '../../../schemas/run-config.ts';
import { digestOf } from '../../../stages/contract/canonical-json.ts';
import { modelRequest } from '../../support/model-request.ts';
import {
  begun,
  chunk,
  modelServer,
  plain,
  type Reply,
  refusal,
  streamed,
  usageChunk,
} from '../../support/model-server.ts';
import { realClock } from '../../support/real-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const key = 'planted-key-1234567890';
const price = { input: 1, cached_input: 0.5, output: 10 };
const good = streamed(chunk({ content: 'a' }, 'stop'), usageChunk);

/** A run with a model on a scripted server, a mailbox, and a ledger that counts. */
async function running(script: Reply[], caps: { calls?: number } = {}) {
  const folder = tempFolder();
  const server = await modelServer(...script);
  const ledger = openLedger({ folder, mode: 'write', clock: realClock });
  const told: string[] = [];
  const models = openModels(
    z.array(ModelConfig).parse([
      {
        name: 'strong',
        provider: 'openai',
        model: 'tiny',
        base_url: server.url,
        api_key_env: 'KEY',
        price,
        idle_timeout_s: 0.2,
      },
      { name: 'keyless', provider: 'openai', model: 'tiny', api_key_env: 'NO_KEY' },
      { name: 'inbox', provider: 'mailbox' },
    ]),
    {
      clock: realClock,
      meter: openMeter({
        caps: { usd: null, calls: null, wall_s: null, ...caps },
        clock: realClock,
        spent: { usd: 0, calls: 0 },
        guess: guessUsd,
      }),
      env: (name) => (name === 'KEY' ? key : null),
      runFolder: folder,
      wait: false,
      tell: (line) => told.push(line),
      patience: { firstWaitMs: 1, tries: 3 },
    },
  );
  const around: Around = {
    memory: (model) => withLedgerModel(model, { ledger, mode: 'write' }),
    calls: (model, called) => withLedgerCalls(model, { ledger, record: 'task-1', ...called }),
  };
  const ask = (request: ModelRequest, entrant = 'strong', signal = new AbortController().signal) =>
    models(request.role, entrant, around).complete(request, signal);
  return { folder, ledger, told, ask, seen: server.seen, money: () => moneyOf(ledger.events()) };
}

test('an answer that is stored is not asked for again', async () => {
  const { ask, seen } = await running([good]);
  const first = await ask(modelRequest());
  expect(await ask(modelRequest())).toEqual(first);
  expect(seen).toHaveLength(1);
});

test('C23: retries, a reviewer, a repairer and a killed call are one line each, and the sum is theirs', async () => {
  const stop = new AbortController();
  const { ask, money } = await running([
    refusal(503, { message: 'busy' }),
    plain(200, '<html></html>'),
    good,
    good,
    good,
    begun(() => stop.abort(), chunk({ content: 'a' })),
  ]);
  await ask(modelRequest());
  await ask(modelRequest({ role: 'reviewer' }));
  await ask(modelRequest({ role: 'repairer' }));
  const killed = ask(modelRequest({ attempt: 2 }), 'strong', stop.signal);
  await expect(killed).rejects.toMatchObject({ name: 'AbortError' });
  const { lines, total } = money();
  expect(lines.map(({ role, state }) => `${role} ${state}`)).toEqual([
    'solver failed',
    'solver failed',
    'solver returned',
    'reviewer returned',
    'repairer returned',
    'solver failed',
  ]);
  // 40 tokens at 1, 60 from the cache at 0.5, 20 out at 10 dollars a million.
  const each = (40 * 1 + 60 * 0.5 + 20 * 10) / 1_000_000;
  expect(total).toMatchObject({ calls: 6, costComplete: false });
  expect(total.usd).toBeCloseTo(3 * each, 12);
  expect(lines.at(-1)?.usd).toBeNull();
});

test('C21: what came of a broken answer can be read from the ledger', async () => {
  const page = '<html>bad gateway</html>';
  const { ask, ledger, seen } = await running([plain(200, page)]);
  await expect(ask(modelRequest())).rejects.toMatchObject({ code: 'model-unreadable' });
  expect(seen).toHaveLength(3);
  const bodies = ledger.events('model-failed').map(({ body }) => body);
  const kept = z.array(z.looseObject({ code: z.string(), textBlob: z.string() })).parse(bodies);
  expect(kept.map(({ code }) => code)).toEqual(['unreadable', 'unreadable', 'unreadable']);
  expect(new TextDecoder().decode(ledger.get(kept[0]?.textBlob ?? ''))).toBe(page);
});

test('retries count against the budget', async () => {
  const { ask, seen } = await running([refusal(503, { message: 'busy' })], { calls: 2 });
  await expect(ask(modelRequest())).rejects.toMatchObject({ code: 'budget-exhausted' });
  expect(seen).toHaveLength(2);
});

test('a request that waits in the mailbox is no call; its answer is one', async () => {
  const { folder, ask, money } = await running([]);
  const request = modelRequest({ entrant: 'inbox' });
  await expect(ask(request, 'inbox')).rejects.toMatchObject({ code: 'model-waiting' });
  await expect(ask(request, 'inbox')).rejects.toMatchObject({ code: 'model-waiting' });
  expect(money().total.calls).toBe(0);
  writeFileSync(join(folder, 'mailbox', `${digestOf(request)}.response.md`), 'a');
  expect(await ask(request, 'inbox')).toMatchObject({ text: 'a', provider: 'mailbox' });
  expect(money().total).toMatchObject({ calls: 1, costComplete: false });
});

test('a key that is not set stops that model alone, by the name of its variable', async () => {
  const { ask } = await running([good]);
  await expect(ask(modelRequest(), 'keyless')).rejects.toThrow('NO_KEY');
  expect(await ask(modelRequest())).toMatchObject({ text: 'a' });
});

test('a name that the run file does not have is a bug', async () => {
  const { ask } = await running([good]);
  expect(() => ask(modelRequest(), 'nobody')).toThrow('no model "nobody"');
});

test('a key that the server prints back is in no file of the run', async () => {
  const { folder, ledger, told, ask } = await running([
    refusal(401, { message: `no such key: ${key}` }),
    plain(200, `<html>${key}</html>`),
    plain(200, `<html>${key}</html>`),
    streamed(chunk({ content: key }, 'stop')),
  ]);
  await expect(ask(modelRequest())).rejects.toThrow('[key]');
  await ask(modelRequest({ attempt: 2 }));
  ledger.close();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect(files.join()).toContain('[key]');
  expect([...files, ...told].join()).not.toContain(key);
});
