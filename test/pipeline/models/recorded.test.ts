import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recorded } from '../../../pipeline/models/recorded.ts';
import { modelRequest } from '../../support/model-request.ts';
import { layRecordings, recordingOf } from '../../support/recordings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const never = new AbortController().signal;
const first = modelRequest();
const second = modelRequest({ replicate: 1 });

function laid() {
  const folder = tempFolder();
  const names = layRecordings(folder, [recordingOf(first, 'one'), recordingOf(second, 'two')]);
  const ask = (request = first, folders = [folder]) =>
    recorded({ name: 'taped', folders }).complete(request, never);
  return { folder, path: join(folder, names[0] ?? ''), ask };
}

test('two replicates with one prompt have two answers', async () => {
  const { ask } = laid();
  expect(await ask(first)).toMatchObject({ text: 'one', provider: 'recorded' });
  expect(await ask(second)).toMatchObject({ text: 'two' });
});

test('who answered stays with the answer', async () => {
  const { ask } = laid();
  expect((await ask()).provenance).toMatchObject({ through: 'mailbox', answeredBy: 'reader-1' });
});

test('a miss names the nearest recording and what differs', async () => {
  const { ask } = laid();
  const messages = [{ role: 'user' as const, content: 'Add a brake.' }];
  const request = modelRequest({ replicate: 1, attempt: 2, messages });
  const fault = await ask(request).catch((error: Error) => error);
  expect(fault).toMatchObject({ code: 'recording-missing' });
  expect(fault).toMatchObject({ message: expect.stringContaining('attempt: asked 2, recorded 1') });
  expect(fault).toMatchObject({ message: expect.stringContaining('messages from character 13') });
  expect(fault).toMatchObject({ message: expect.not.stringContaining('replicate: asked') });
});

test('another reader of the same subject is not nearer than the same reader of it', async () => {
  const folder = tempFolder();
  const other = modelRequest({ entrant: 'other', attempt: 3 });
  layRecordings(folder, [recordingOf(other, 'a'), recordingOf(first, 'b')]);
  const { ask } = laid();
  await expect(ask(modelRequest({ attempt: 3 }), [folder])).rejects.toThrow(
    'differs in attempt: asked 3, recorded 1.',
  );
});

test('a folder that is not there holds no recordings, and says so', async () => {
  const { ask } = laid();
  await expect(ask(first, ['nowhere'])).rejects.toMatchObject({
    code: 'recording-missing',
    message: expect.stringContaining('no recordings there'),
  });
});

test('the first folder that holds a request answers it', async () => {
  const { folder, ask } = laid();
  const newer = tempFolder();
  layRecordings(newer, [recordingOf(first, 'newer')]);
  expect(await ask(first, [newer, folder])).toMatchObject({ text: 'newer' });
  expect(await ask(second, [newer, folder])).toMatchObject({ text: 'two' });
});

const flip = (path: string) =>
  writeFileSync(path, readFileSync(path, 'utf8').replace('one', 'own'));

test.each([
  ['with a changed byte', (_folder: string, path: string) => flip(path), 'bytes'],
  ['that is gone', (_folder: string, path: string) => rmSync(path), 'missing'],
  [
    'that is not listed',
    (folder: string) => writeFileSync(join(folder, 'note.txt'), ''),
    'note.txt',
  ],
  ['without its sums', (folder: string) => rmSync(join(folder, 'SHA256SUMS')), 'SHA256SUMS'],
])('a recording %s is named', async (_damage, harm, word) => {
  const { folder, path, ask } = laid();
  harm(folder, path);
  await expect(ask()).rejects.toMatchObject({
    code: 'pack-unreadable',
    message: expect.stringMatching(new RegExp(`^Recording ${folder}.*${word}`)),
  });
});

test('a recording of another request than its name says is damaged', async () => {
  const folder = tempFolder();
  const forged = { ...recordingOf(first, 'a'), request: second };
  layRecordings(folder, [forged]);
  await expect(laid().ask(first, [folder])).rejects.toThrow('another digest');
});
