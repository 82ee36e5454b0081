import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { record } from '../../../pipeline/commands/record.ts';
import { openLedger } from '../../../pipeline/ledger/open.ts';
import { withLedgerCalls } from '../../../pipeline/ledger/with-ledger-model.ts';
import { completionOf } from '../../../pipeline/models/completion-of.ts';
import { recorded } from '../../../pipeline/models/recorded.ts';
import type { ModelRequest } from '../../../schemas/completion.ts';
import { digestOf } from '../../../stages/contract/canonical-json.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { modelRequest } from '../../support/model-request.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const never = new AbortController().signal;
const first = modelRequest();
const second = modelRequest({ entrant: 'other' });

/** A finished run with two answers through a mailbox. */
async function finished(answeredBy = 'reader-1') {
  const folder = join(tempFolder(), 'demo');
  const clock = fakeClock();
  const ledger = openLedger({ folder, mode: 'write', clock });
  const model = {
    complete: async ({ entrant }: ModelRequest) =>
      completionOf({
        text: `from ${entrant} ☃`,
        provider: 'mailbox',
        modelRequested: 'inbox',
        provenance: { through: 'mailbox', answeredBy, answeredAt: '2026-01-02T03:04:05Z' },
      }),
  };
  const called = { ledger, record: null, provider: 'mailbox', price: null } as const;
  for (const request of [first, second]) {
    await withLedgerCalls(model, called).complete(request, never);
  }
  ledger.close();
  const to = join(tempFolder(), 'recordings');
  const out = dirname(folder);
  const printed: string[] = [];
  const keep = { write: (text: string) => printed.push(text) > 0, isTTY: false, columns: 80 };
  const streams = { stdout: keep, stderr: keep, signal: never, clock };
  const recording = (...more: string[]) =>
    record.run(['--run', 'demo', '--out', out, '--to', to, ...more], streams);
  return { to, printed, recording };
}

const replayed = (to: string, request: ModelRequest) =>
  recorded({ name: 'taped', folders: [to] }).complete(request, never);

test('a recorded run replays, answer for answer, with who gave it', async () => {
  const { to, recording } = await finished();
  expect(await recording()).toBe(0);
  expect(await replayed(to, first)).toMatchObject({
    text: 'from reader ☃',
    provider: 'recorded',
    provenance: { through: 'mailbox', answeredBy: 'reader-1' },
  });
  expect(await replayed(to, second)).toMatchObject({ text: 'from other ☃' });
});

test('an index lists who was asked what', async () => {
  const { to, recording } = await finished();
  await recording();
  const index = JSON.parse(readFileSync(join(to, 'index.json'), 'utf8'));
  expect(index).toMatchObject([
    { entrant: 'other', answeredBy: 'reader-1', requestSha256: digestOf(second) },
    { entrant: 'reader', finish: 'stop', requestSha256: digestOf(first) },
  ]);
});

test('one entrant alone is recorded, and the next adds to the folder', async () => {
  const { to, recording } = await finished();
  await recording('--entrant', 'other');
  await expect(replayed(to, first)).rejects.toMatchObject({ code: 'recording-missing' });
  const before = readFileSync(join(to, `${digestOf(second)}.json`), 'utf8');
  await recording();
  expect(await replayed(to, first)).toMatchObject({ finish: 'stop' });
  expect(readFileSync(join(to, `${digestOf(second)}.json`), 'utf8')).toBe(before);
});

test('recording twice leaves the same bytes', async () => {
  const { to, printed, recording } = await finished();
  await recording();
  const sums = readFileSync(join(to, 'SHA256SUMS'), 'utf8');
  await recording('--json');
  expect(readFileSync(join(to, 'SHA256SUMS'), 'utf8')).toBe(sums);
  expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({ answers: 2, added: 0, kept: 2 });
});

test('a dry run writes nothing', async () => {
  const { to, recording } = await finished();
  await recording('--dry-run');
  expect(() => readdirSync(to)).toThrow('ENOENT');
});

test.each([
  ['someone@example.org', 'an e-mail address'],
  ['@someone', 'a login'],
  ['sk-0123456789abcdefghij', 'a token'],
])('provenance with %s is refused, and not repeated', async (answeredBy, kind) => {
  const { to, recording } = await finished(answeredBy);
  const refused = await recording().catch((error: Error) => error);
  expect(refused).toMatchObject({ message: expect.stringContaining(`answeredBy: expected`) });
  expect(refused).toMatchObject({ message: expect.stringContaining(kind) });
  expect(String(refused)).not.toContain(answeredBy);
  expect(() => readdirSync(to)).toThrow('ENOENT');
});

test('an entrant that gave no answer is named with those that did', async () => {
  const { recording } = await finished();
  await expect(recording('--entrant', 'othr')).rejects.toThrow('did you mean "other"?');
});
