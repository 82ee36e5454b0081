import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { depsFolder, keepOnce } from '../../../pipeline/sandboxes/host/kept-deps.ts';

const DIGEST = 'd'.repeat(64);
const { signal } = new AbortController();
let cache = '';

beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'csw-kept-'));
});
afterEach(() => rm(cache, { recursive: true }));

const build = (words: string) => async (deps: string) => {
  await writeFile(join(deps, 'note'), words, { flag: 'wx' });
  return null;
};
const note = () => readFile(join(depsFolder(cache, DIGEST), 'note'), 'utf8');

test('builds once for all who ask at the same time', async () => {
  await Promise.all(['a', 'b', 'c'].map((words) => keepOnce(cache, DIGEST, signal, build(words))));
  expect(await note()).toMatch(/^[abc]$/);
  expect(await readdir(cache)).toEqual([DIGEST]);
});

test('builds anew what a crash left half done', async () => {
  await mkdir(depsFolder(cache, DIGEST), { recursive: true });
  await writeFile(join(depsFolder(cache, DIGEST), 'note'), 'half');
  expect(await keepOnce(cache, DIGEST, signal, build('whole'))).toBeNull();
  expect(await note()).toBe('whole');
});

test('takes over the lock of a process that is no more', async () => {
  await writeFile(join(cache, `${DIGEST}.lock`), '1 12345');
  expect(await keepOnce(cache, DIGEST, signal, build('mine'))).toBeNull();
  expect(await note()).toBe('mine');
});

test('keeps nothing of a failure', async () => {
  expect(await keepOnce(cache, DIGEST, signal, async () => 'no')).toBe('no');
  expect(await readdir(cache)).toEqual([]);
});

test('stops waiting for a living owner when the run is cancelled', async () => {
  const stat = await readFile('/proc/self/stat', 'utf8');
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  await writeFile(join(cache, `${DIGEST}.lock`), `${process.pid} ${started}`);
  const waiting = keepOnce(cache, DIGEST, AbortSignal.timeout(150), build('never'));
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});
