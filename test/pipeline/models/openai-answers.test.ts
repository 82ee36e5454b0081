import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseAnswer } from '../../../stages/solve/answer.ts';
import { modelRequest } from '../../support/model-request.ts';
import { begun, chunk, plain, streamed, usageChunk } from '../../support/model-server.ts';
import { asked, serving } from '../../support/served-openai.ts';

const hang = () => undefined;
const html = '<html><body>502 Bad gateway</body></html>';
const half = '{"word": "bur';

test('a whole stream gives text, ids and every kind of token', async () => {
  const { complete } = await serving(
    {},
    streamed(chunk({ content: '{"word":' }), chunk({ content: '"a"}' }, 'stop'), usageChunk),
  );
  expect(await complete()).toEqual({
    text: '{"word":"a"}',
    finish: 'stop',
    provider: 'openai',
    modelRequested: 'tiny',
    modelReturned: 'tiny-2',
    responseId: 'answer-1',
    fromReasoning: false,
    usage: { input: 100, cachedInput: 60, output: 20, reasoning: 5 },
    provenance: null,
  });
});

const reasoned = (word: unknown) => chunk({ content: null, reasoning_content: word }, 'stop');

test.each([
  [
    'C21 a: half an object at the cap',
    streamed(chunk({ content: half }, 'length')),
    'length',
    half,
  ],
  [
    'C21 b: half an object and a stop, which its reader names',
    streamed(chunk({ content: half }, 'stop')),
    'stop',
    half,
  ],
  [
    'C21 c: a reasoning field that does not meet the schema',
    streamed(reasoned('{}')),
    'unreadable',
    '{}',
  ],
  [
    'C21 d: a page of HTML with status 200',
    plain(200, html, { 'content-type': 'text/html' }),
    'unreadable',
    html,
  ],
  ['an empty body', plain(200, ''), 'unreadable', ''],
  [
    'a body of JSON that is no answer',
    plain(200, '{"detail":"x"}'),
    'unreadable',
    '{"detail":"x"}',
  ],
  ['an answer without a word', streamed(chunk({ content: '' }, 'stop')), 'unreadable', ''],
  ['a stream without finish reason', streamed(chunk({ content: half })), 'truncated', half],
  [
    'a connection cut in the middle',
    begun((response) => response.destroy(), chunk({ content: half })),
    'truncated',
    half,
  ],
  ['a refusal', streamed(chunk({ refusal: 'No.' }, 'stop')), 'refused', 'No.'],
  ['a content filter', streamed(chunk({ content: half }, 'content_filter')), 'refused', half],
  ['an unknown finish reason', streamed(chunk({ content: half }, 'overheated')), 'truncated', half],
  ['endless blanks', begun(hang, chunk({ content: ' '.repeat(5000) })), 'length', ' '.repeat(5000)],
])('%s is named and kept', async (_story, reply, finish, text) => {
  const { complete } = await serving({}, reply);
  expect(await complete()).toMatchObject({ finish, text });
});

test.each([
  ['half an object at the cap', streamed(chunk({ content: half }, 'length')), 'length'],
  ['half an object and a stop', streamed(chunk({ content: half }, 'stop')), 'cut'],
  ['an object in the reasoning field', streamed(reasoned('{"word":"a"}')), 'marked'],
  ['a page of HTML', plain(200, html), 'html'],
])('C21: %s reaches its reader under its own name', async (_story, reply, name) => {
  const { complete } = await serving({}, reply);
  const completion = await complete();
  const answer = parseAnswer(completion, z.strictObject({ word: z.string() }));
  const mark = completion.fromReasoning ? 'marked' : 'plain';
  expect(answer.ok ? mark : answer.fault).toBe(name);
});

test('C21: tokens of an unusable answer are kept', async () => {
  const { complete } = await serving({}, streamed(chunk({ content: half }, 'length'), usageChunk));
  expect((await complete()).usage.output).toBe(20);
});

test('C21 c: an answer in the reasoning field is used where it meets the schema, and marked', async () => {
  const { complete } = await serving({}, streamed(reasoned('{"word":"a"}')));
  expect(await complete()).toMatchObject({
    finish: 'stop',
    fromReasoning: true,
    text: '{"word":"a"}',
  });
});

test('plain text in the reasoning field cannot be checked, so it is not an answer', async () => {
  const { complete } = await serving({}, streamed(reasoned('thinking')));
  const completion = await complete(modelRequest());
  expect(completion).toMatchObject({ finish: 'unreadable', fromReasoning: true });
});

test('a server that passes over `stream` is read all the same', async () => {
  const { choices: _none, ...rest } = usageChunk;
  const message = { content: '{"word":"a"}' };
  const body = JSON.stringify({ ...rest, choices: [{ message, finish_reason: 'stop' }] }, null, 2);
  const { complete } = await serving({}, plain(200, body));
  expect(await complete()).toMatchObject({ finish: 'stop', text: message.content });
});

test('C22: tokens that a server does not count are unknown, not zero', async () => {
  const { complete } = await serving({}, streamed(chunk({ content: 'a' }, 'stop')));
  const { usage } = await complete(modelRequest());
  expect(usage).toEqual({ input: null, cachedInput: null, output: null, reasoning: null });
});

test.each([
  ['before the first word', hang],
  ['between two words', begun(hang, chunk({ content: half }))],
])('a server that falls silent %s is left after the idle time', async (_when, reply) => {
  const { complete } = await serving({ idle_timeout_s: 0.05 }, reply);
  expect(await complete()).toMatchObject({ finish: 'idle-timeout' });
});

test('an abort in mid-stream passes through', async () => {
  const stop = new AbortController();
  const { complete } = await serving(
    {},
    begun(() => stop.abort(), chunk({ content: half })),
  );
  const answer = complete(asked, stop.signal);
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
});
