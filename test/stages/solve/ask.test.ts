import { expect, test } from 'vitest';
import { z } from 'zod';
import { BodyProposal, EditsProposal } from '../../../schemas/proposal.ts';
import { digestOf } from '../../../stages/contract/canonical-json.ts';
import { Fault } from '../../../stages/fault.ts';
import { askStructured, wireSchema } from '../../../stages/solve/ask.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { modelRequest } from '../../support/model-request.ts';
import { playing, type Reply } from '../../support/solve-bench.ts';

const Verdict = z.strictObject({ ok: z.boolean() });

async function ask(...replies: Reply[]) {
  const { model, asked } = playing(...replies);
  const ledger = memoryLedger();
  const answer = await askStructured(
    model,
    modelRequest(),
    Verdict,
    ledger,
    new AbortController().signal,
  );
  return { answer, asked, ledger };
}

test('a valid answer comes with its completion and the digest of its request', async () => {
  const { answer, asked, ledger } = await ask({ text: '{"ok":true}' });
  expect(answer).toMatchObject({ ok: true, value: { ok: true }, requestSha: digestOf(asked[0]) });
  expect(ledger.get(answer.requestSha).length).toBeGreaterThan(0);
});

test('an unusable answer is asked again once, with what was wrong, as another request', async () => {
  const { answer, asked } = await ask({ text: '{"ok":1}' }, { text: '{"ok":false}' });
  expect(answer).toMatchObject({ ok: true, value: { ok: false } });
  expect(asked.map(({ reask }) => reask)).toEqual([0, 1]);
  expect(asked[1]?.messages.at(-1)?.content).toContain('ok: Invalid input: expected boolean');
  expect(digestOf(asked[0])).not.toBe(digestOf(asked[1]));
});

test('after two unusable answers the raw text is handed back with the reason', async () => {
  const { answer, asked } = await ask({ text: '{"ok":' });
  expect(answer).toMatchObject({ ok: false, reason: 'cut', raw: '{"ok":' });
  expect(asked).toHaveLength(2);
});

test('a refusal is not asked again', async () => {
  const { answer, asked } = await ask({ text: '', finish: 'refused' });
  expect(answer).toMatchObject({ ok: false, reason: 'refused' });
  expect(asked).toHaveLength(1);
});

test('a fault of the model passes through', async () => {
  await expect(ask(new Fault('mailbox waits', { code: 'model-waiting' }))).rejects.toThrow(
    'mailbox waits',
  );
});

test('the schemas that go over the wire are closed and have no optional member', () => {
  expect(wireSchema(EditsProposal).json).toMatchSnapshot();
  expect(wireSchema(BodyProposal).json).toMatchSnapshot();
});

test.each([
  ['an optional member', z.strictObject({ a: z.string().optional() })],
  ['a default', z.strictObject({ a: z.array(z.strictObject({ b: z.string().default('x') })) })],
  ['a record', z.strictObject({ a: z.record(z.string(), z.string()) })],
  ['an open object', z.object({ a: z.string() })],
])('%s is refused as a wire schema', (_, schema) => {
  expect(() => wireSchema(schema)).toThrow('wire schema failed');
});
