import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { models } from '../../pipeline/models/registry.ts';
import { digestOf } from '../../stages/contract/canonical-json.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { modelRequest } from '../support/model-request.ts';
import { chunk, modelServer, refusal, streamed } from '../support/model-server.ts';
import { realClock } from '../support/real-clock.ts';
import { layRecordings, recordingOf } from '../support/recordings.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Answering, conformsAsModel, planted, saysWhenCut } from './model.ts';

/** How each provider's other side is made to answer. */
const worlds: Readonly<Record<keyof typeof models, Answering>> = {
  async openai(_request, text, finish = undefined) {
    const { url } = await modelServer(streamed(chunk({ content: text }, finish ?? 'stop')));
    const options = { name: 'tiny', model: 'tiny', base_url: url, clock: realClock };
    return models.openai({ ...options, apiKey: planted });
  },
  mailbox(request, text) {
    const dir = tempFolder();
    writeFileSync(join(dir, `${digestOf(request)}.response.md`), text);
    return models.mailbox({ name: 'inbox', dir, clock: fakeClock() });
  },
  recorded(request, text, finish = undefined) {
    const folder = tempFolder();
    const { completion, ...recording } = recordingOf(request, text);
    const ended = { ...completion, finish: finish ?? completion.finish };
    layRecordings(folder, [{ ...recording, completion: ended }]);
    return models.recorded({ name: 'taped', folders: [folder] });
  },
  scripted: (_request, text, finish = undefined) =>
    models.scripted({ answers: () => ({ text, finish: finish ?? 'stop' }) }),
};

describe.each(Object.entries(worlds))('%s', (_name, answering) => {
  conformsAsModel(answering);
});

describe.each(Object.entries(worlds).filter(([name]) => name !== 'mailbox'))(
  '%s',
  (_name, answering) => {
    saysWhenCut(answering);
  },
);

test('every registered provider is under this suite', () => {
  expect(Object.keys(worlds).toSorted()).toEqual(Object.keys(models).toSorted());
});

test('a key is neither printed nor written, whatever the server does with it', async () => {
  const printed: string[] = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void printed.push(words.join(' ')));
  }
  onTestFinished(() => vi.restoreAllMocks() && undefined);
  const { url } = await modelServer(
    refusal(401, { message: `no such key: ${planted}` }),
    streamed(chunk({ content: `you are ${planted}` }, 'stop')),
    (response) => response.end('data: {cut\n\n'),
  );
  const options = { name: 'tiny', model: 'tiny', base_url: url, clock: realClock };
  const model = models.openai({ ...options, apiKey: planted });
  const ends: string[] = [];
  for (const attempt of [1, 2, 3]) {
    const ended = model.complete(modelRequest({ attempt }), new AbortController().signal);
    ends.push(await ended.then(JSON.stringify, (error: Error) => `${error.stack}${error.cause}`));
  }
  expect(ends.join()).toContain('[key]');
  expect([...ends, ...printed].join()).not.toContain(planted);
  expect(printed).toEqual([]);
});

test('a mailbox shows the request and nothing of where it lies or who runs it', async () => {
  const dir = tempFolder();
  vi.stubEnv('OPENAI_API_KEY', planted);
  onTestFinished(() => vi.unstubAllEnvs() && undefined);
  const model = models.mailbox({ name: 'inbox', dir, clock: fakeClock() });
  await expect(model.complete(modelRequest(), new AbortController().signal)).rejects.toThrow();
  const written = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
  expect(written.join()).not.toContain(planted);
  expect(written.join()).not.toContain(dir);
});
