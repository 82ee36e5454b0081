import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { askDaemon, connect } from '../../pipeline/sandboxes/docker/client.ts';
import { openImageStore } from '../../pipeline/sandboxes/docker/image-store.ts';
import { docker } from '../../pipeline/sandboxes/docker.ts';
import { EnvironmentSpec } from '../../schemas/environment.ts';
import type { Box, Sandbox } from '../../stages/context.ts';
import { mortalDaemon } from '../support/mortal-daemon.ts';
import { tempFolder } from '../support/temp-folder.ts';

const { signal } = new AbortController();
const spec = (fields: object = {}) =>
  EnvironmentSpec.parse({
    environment: 1,
    language: 'javascript',
    runner: 'node-test',
    testFiles: ['test/**'],
    sourceFiles: ['src/**'],
    ...fields,
  });

const boxesOf = (run: string) =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`csw-box.${run}.`));

const run = (box: Box, timeoutMs = 10_000) => box.exec(['true'], { timeoutMs }, signal);

async function prepared(sandbox: Sandbox) {
  const answer = await sandbox.prepare(spec(), [], signal);
  if (!answer.ready) throw new Error(answer.tail);
  return answer.environment;
}

/** Preparing opens one box and runs one command, so the second call of each kind is the work's own. */
const second = { call: 2 };

describe.each(['die', 'cut'] as const)('a daemon that dies (%s)', (fate) => {
  test.each([
    ['while the box opens', 'POST /containers/create', 'sandbox-missing'],
    ['while its container starts', 'POST /containers/start', 'sandbox-missing'],
    ['before a command', 'POST /containers/exec', 'sandbox-lost'],
    ['as a command starts', 'POST /exec/start', 'sandbox-lost'],
    ['while a command prints', 'output', 'sandbox-lost'],
    ['as a command ends', 'GET /exec/json', 'sandbox-lost'],
    ['at the end of the box', 'DELETE /containers', 'sandbox-missing'],
  ])('%s is a fault that says what to do, and leaves no folder', async (_when, at, code) => {
    // A container is removed when the first box ends, too.
    const daemon = await mortalDaemon({ at, fate, ...second });
    const label = `dying-${process.pid}-${fate}`;
    const sandbox = docker({ run: label, cache: '/nowhere', host: daemon.host, answerMs: 500 });
    const environment = await prepared(sandbox);
    const work = sandbox.use(environment, signal, (box) => run(box));
    await expect(work).rejects.toMatchObject({
      name: 'Fault',
      code,
      message: expect.stringMatching(/(Start it|Restart it|and resume)/),
    });
    expect(boxesOf(label)).toEqual([]);
    await daemon.revive();
    const again = await sandbox.use(environment, signal, (box) => run(box));
    expect(again.code).toBe(0);
  });
});

test('says that a lost box may be tried again', async () => {
  const daemon = await mortalDaemon({ at: 'output', fate: 'die', ...second });
  const sandbox = docker({ run: 'lost', cache: '/nowhere', host: daemon.host, answerMs: 500 });
  const work = sandbox.use(await prepared(sandbox), signal, (box) => run(box));
  await expect(work).rejects.toMatchObject({ code: 'sandbox-lost', retryable: true });
});

test('never takes half of an output for all of it', async () => {
  const daemon = await mortalDaemon({ at: 'output', fate: 'sever', ...second });
  const sandbox = docker({ run: 'half', cache: '/nowhere', host: daemon.host });
  const work = sandbox.use(await prepared(sandbox), signal, (box) => run(box));
  await expect(work).rejects.toMatchObject({
    code: 'sandbox-lost',
    message: expect.stringContaining('cut the output of a command short'),
  });
});

test('keeps the files of a box in reach while the daemon is gone', async () => {
  const daemon = await mortalDaemon({ at: 'POST /containers/exec', fate: 'die', ...second });
  const sandbox = docker({ run: 'files', cache: '/nowhere', host: daemon.host, answerMs: 500 });
  let seen = '';
  const work = sandbox.use(await prepared(sandbox), signal, async (box) => {
    await run(box).catch(() => undefined);
    await box.write([{ path: 'a', kind: 'file', bytes: Buffer.from('kept') }]);
    seen = Buffer.from((await box.read('a', 10)) ?? '').toString();
  });
  await expect(work).rejects.toMatchObject({ code: 'sandbox-missing' });
  expect(seen).toBe('kept');
});

test('keeps nothing of an installation in which the daemon died', async () => {
  const daemon = await mortalDaemon({ at: 'output', fate: 'die', ...second });
  const cache = tempFolder();
  const sandbox = docker({ run: 'install', cache, host: daemon.host, answerMs: 500 });
  const prepare = () => sandbox.prepare(spec({ install: [['true'], ['true']] }), [], signal);
  await expect(prepare()).rejects.toMatchObject({ code: 'sandbox-lost' });
  const kept = readdirSync(cache, { recursive: true });
  expect(kept.filter((name) => /lock|ready/.test(String(name)))).toEqual([]);
  await daemon.revive();
  expect(await prepare()).toMatchObject({ ready: true });
  expect(daemon.calls.filter((call) => call === 'output')).toHaveLength(4);
});

test.each(['die', 'cut'] as const)(
  'names an import that the daemon did not live to end (%s)',
  async (fate) => {
    const daemon = await mortalDaemon({ at: 'POST /images/create', fate });
    const file = join(tempFolder(), 'root.tar');
    writeFileSync(file, new Uint8Array(1_000_000));
    const store = await openImageStore(daemon.host);
    await expect(store.importTar(file, 'x', 'y')).rejects.toMatchObject({
      name: 'Fault',
      message: expect.stringMatching(/image store failed/),
    });
  },
);

test.each(['hang', 'cut'] as const)('ends a call that is never answered (%s)', async (fate) => {
  const daemon = await mortalDaemon({ at: 'POST /containers/create', fate });
  const { docker: client, socket } = await connect(daemon.host, 300);
  const asked = askDaemon('docker box', socket, () => client.createContainer({ Image: 'x' }));
  await expect(asked).rejects.toMatchObject({
    code: 'sandbox-missing',
    message: `docker box failed: the daemon at ${socket} is silent for 0.3 s. Restart it, or choose --sandbox bwrap.`,
  });
});

test.each([
  ['as a command ends', [{ at: 'GET /exec/json', fate: 'hang', call: 2 }]],
  [
    'when its limit is to end a command',
    [
      { at: 'output', fate: 'hang', call: 2 },
      { at: 'POST /containers/kill', fate: 'hang' },
    ],
  ],
] as const)('never waits for ever for a daemon that hangs %s', async (_when, moments) => {
  const daemon = await mortalDaemon(...moments);
  const sandbox = docker({ run: 'hang', cache: '/nowhere', host: daemon.host, answerMs: 300 });
  const environment = await prepared(sandbox);
  const work = sandbox.use(environment, signal, (box) => run(box, 400));
  await expect(work).rejects.toMatchObject({
    code: 'sandbox-lost',
    message: expect.stringContaining('no answer from'),
  });
});
