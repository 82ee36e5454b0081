import { expect, test } from 'vitest';
import { askDaemon, findSocket } from '../../../pipeline/sandboxes/docker/client.ts';
import { docker } from '../../../pipeline/sandboxes/docker.ts';
import { EnvironmentSpec } from '../../../schemas/environment.ts';
import { type Answers, withDaemon } from '../../support/docker-daemon.ts';

const spec = EnvironmentSpec.parse({
  environment: 1,
  language: 'python',
  runner: 'unittest',
  testFiles: ['test*.py'],
  sourceFiles: ['*.py'],
});
const INFO = { DockerRootDir: '/', Architecture: 'x86_64', SecurityOptions: [] };
const daemon = (more: Answers): Answers => ({
  '/_ping': [200, 'OK'],
  '/info': [200, INFO],
  ...more,
});

const prepare = async (host: Record<string, string>) =>
  await docker({ run: 'r', cache: '/nowhere', host }).prepare(
    spec,
    [],
    new AbortController().signal,
  );

const denied = Object.assign(new Error('connect EACCES'), { code: 'EACCES' });
const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const full = Object.assign(new Error('(HTTP code 500) write /x: no space left on device'), {
  statusCode: 500,
});

test.each([
  [
    'no permission',
    denied,
    'sandbox-forbidden',
    /user \d+ may not use \/s\. Add the user to the group "docker"/,
  ],
  ['no daemon', refused, 'sandbox-missing', /no Docker daemon answers at \/s\. Start it/],
  ['a full disk', full, 'disk-full', /disk is full\. Run "docker system prune"/],
  ['anything else', new Error('odd'), 'sandbox-failed', /odd/],
])('names %s, with its remedy and never chmod', async (_name, error, code, message) => {
  const asked = askDaemon('docker sandbox', '/s', () => Promise.reject(error));
  await expect(asked).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  await expect(asked).rejects.not.toThrow(/chmod/);
});

test.each([
  [
    'DOCKER_HOST alone where it is set',
    { DOCKER_HOST: 'unix:///no/such.sock', HOME: '/h' },
    /no socket at \/no\/such\.sock\. /,
  ],
  [
    'no daemon elsewhere, since boxes are folders here',
    { DOCKER_HOST: 'tcp://127.0.0.1:2375' },
    /expected unix:\/\/PATH/,
  ],
])('uses %s', (_name, host, message) => {
  expect(() => findSocket(host)).toThrow(
    expect.objectContaining({ code: 'sandbox-missing', message: expect.stringMatching(message) }),
  );
});

test('names a missing base image and the verb that makes it', async () => {
  await withDaemon(daemon({}), async (host) => {
    await expect(prepare(host)).rejects.toMatchObject({
      code: 'image-missing',
      message:
        'docker sandbox failed to start: image csw-base:latest not found. Run "pipeline image base".',
    });
  });
});

test('refuses an image for another processor before anything starts', async () => {
  const image = {
    '/images/csw-base:latest/json': [200, { Id: 'sha256:1', Architecture: 'arm64' }],
  } as const;
  await withDaemon(daemon(image), async (host) => {
    await expect(prepare(host)).rejects.toMatchObject({
      code: 'image-missing',
      message: expect.stringContaining('is for arm64, this machine is amd64'),
    });
  });
});

test('passes on what a broken daemon says', async () => {
  await withDaemon({ '/_ping': [500, { message: 'on fire' }] }, async (host) => {
    await expect(prepare(host)).rejects.toMatchObject({
      code: 'sandbox-failed',
      message: expect.stringContaining('on fire'),
    });
  });
});
