import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mailbox } from '../../../pipeline/models/mailbox.ts';
import type { ModelRequest } from '../../../schemas/completion.ts';
import { canonicalJson, digestOf } from '../../../stages/contract/canonical-json.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { modelRequest } from '../../support/model-request.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const never = new AbortController().signal;
const asked = modelRequest();
const object = { type: 'object', properties: { word: { type: 'string' } } };
const structured = modelRequest({ schema: { name: 'answer', json: object } });
const enveloped = { type: 'object', properties: { answer: { type: 'string' } } };

function open(onSleep?: (dir: string, count: number) => void) {
  const dir = tempFolder();
  const told: string[] = [];
  const options = { name: 'inbox', dir, tell: (line: string) => told.push(line) };
  const clock = fakeClock(0, (count) => onSleep?.(dir, count));
  const model = mailbox({ ...options, clock, wait: onSleep !== undefined });
  const answer = (request: ModelRequest, kind: string, text: string) =>
    writeFileSync(join(dir, `${digestOf(request)}.response.${kind}`), text);
  return { dir, told, clock, answer, ask: (request = asked) => model.complete(request, never) };
}

test('a request without an answer is put into the box, and named', async () => {
  const { dir, ask } = open();
  const name = `${digestOf(asked)}.request`;
  await expect(ask()).rejects.toMatchObject({
    code: 'model-waiting',
    retryable: false,
    message: expect.stringContaining(join(dir, `${name}.md`)),
  });
  expect(readdirSync(dir).toSorted()).toEqual([`${name}.json`, `${name}.md`]);
  expect(readFileSync(join(dir, `${name}.json`), 'utf8')).toBe(`${canonicalJson(asked)}\n`);
});

test('the readable request says what is asked, in which form, and how to answer', async () => {
  const { dir, ask } = open();
  const request = {
    ...structured,
    messages: [{ role: 'user' as const, content: 'Use ```` here.' }],
  };
  await expect(ask(request)).rejects.toThrow();
  const text = readFileSync(join(dir, `${digestOf(request)}.request.md`), 'utf8');
  expect(text).toContain('`````\nUse ```` here.\n`````');
  expect(text).toContain('"word"');
  expect(text).toContain(`${digestOf(request)}.response.json`);
  expect(text).toContain('rename');
});

test.each([
  ['an envelope with an object', structured, 'json', '{"answer":{"word":"a"}}', '{"word":"a"}'],
  ['an envelope with a text', asked, 'json', '{"answer":"a b"}', 'a b'],
  [
    'a bare answer, in its own spelling',
    structured,
    'json',
    '{ "word": "a" }\n',
    '{ "word": "a" }\n',
  ],
  ['plain text', asked, 'md', 'Some *words*.\n', 'Some *words*.\n'],
  [
    'an object that only looks like an envelope',
    modelRequest({ schema: { name: 'a', json: enveloped } }),
    'json',
    '{"answer":"a"}',
    '{"answer":"a"}',
  ],
] as const)('%s is read', async (_form, request, kind, text, read) => {
  const { answer, ask } = open();
  answer(request, kind, text);
  expect(await ask(request)).toMatchObject({ text: read, finish: 'stop', provider: 'mailbox' });
});

test('who answered, and when, stays with the answer', async () => {
  const { answer, ask } = open();
  const at = '2026-01-02T03:04:05Z';
  answer(asked, 'json', JSON.stringify({ answer: 'a', answered_by: 'reader-1', answered_at: at }));
  const { provenance } = await ask();
  expect(provenance).toEqual({ through: 'mailbox', answeredBy: 'reader-1', answeredAt: at });
});

test('an answer that does not say who gave it is dated by its file', async () => {
  const { answer, ask } = open();
  answer(asked, 'md', 'a');
  const { provenance } = await ask();
  expect(provenance?.answeredBy).toBe('unknown');
  expect(Date.parse(provenance?.answeredAt ?? '')).toBeGreaterThan(0);
});

test('an answer that is not JSON is kept, named, and asked for once more', async () => {
  const { dir, told, answer, ask } = open();
  answer(structured, 'json', '{"word":');
  await expect(ask(structured)).rejects.toMatchObject({
    code: 'model-waiting',
    message: expect.stringContaining('once more'),
  });
  const kept = join(dir, `${digestOf(structured)}.response.invalid-1.json`);
  expect(readFileSync(kept, 'utf8')).toBe('{"word":');
  expect(told).toEqual([expect.stringContaining(kept)]);
  answer(structured, 'json', '{"word":"a"}');
  expect(await ask(structured)).toMatchObject({ finish: 'stop' });
});

test('what comes after an answer that was refused is the answer, also to a later run', async () => {
  const { answer, ask } = open();
  answer(structured, 'json', '{"word":');
  await expect(ask(structured)).rejects.toThrow();
  answer(structured, 'json', 'Sorry, no.');
  expect(await ask(structured)).toMatchObject({ text: 'Sorry, no.' });
  expect(await ask(structured)).toMatchObject({ text: 'Sorry, no.' });
});

test.each([
  ['md', ' \n'],
  ['json', '{"answer":"","answered_by":"reader-1"}'],
])('an empty answer in .%s is no answer, however often', async (kind, text) => {
  const { dir, answer, ask } = open();
  answer(asked, kind, text);
  await expect(ask()).rejects.toMatchObject({ code: 'model-waiting' });
  answer(asked, 'md', '');
  await expect(ask()).rejects.toMatchObject({ code: 'model-waiting' });
  expect(readdirSync(dir)).toContain(`${digestOf(asked)}.response.invalid-1.${kind}`);
});

test('a file under another name is not read before it is renamed', async () => {
  const whole = `${digestOf(asked)}.response.md`;
  const { told, clock, ask } = open((dir, count) => {
    if (count === 2) writeFileSync(join(dir, `${whole}.part`), 'a');
    if (count === 4) renameSync(join(dir, `${whole}.part`), join(dir, whole));
  });
  expect(await ask()).toMatchObject({ text: 'a' });
  expect(clock.slept).toEqual([1000, 1000, 1000, 1000]);
  expect(told).toHaveLength(1);
});

test('waiting ends with an abort', async () => {
  const stop = new AbortController();
  const clock = fakeClock(0, () => stop.abort());
  const model = mailbox({ name: 'inbox', dir: tempFolder(), wait: true, clock });
  const answer = model.complete(asked, stop.signal);
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
});

test('a re-ask and another entrant have their own files', async () => {
  const { dir, ask } = open();
  for (const parts of [{}, { reask: 1 }, { entrant: 'other' }, { replicate: 1 }]) {
    await expect(ask(modelRequest(parts))).rejects.toThrow();
  }
  expect(readdirSync(dir).filter((name) => name.endsWith('.md'))).toHaveLength(4);
});

test('a box that cannot be written is a fault that names it', async () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  const model = mailbox({ name: 'inbox', dir: join(file, 'box'), clock: fakeClock() });
  await expect(model.complete(asked, never)).rejects.toMatchObject({
    code: 'out-not-writable',
    message: expect.stringContaining(file),
  });
});
