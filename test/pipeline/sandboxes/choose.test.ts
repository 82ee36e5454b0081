import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { chooseSandbox } from '../../../pipeline/sandboxes/choose.ts';
import { diagnoseSandboxes } from '../../../pipeline/sandboxes/diagnose.ts';
import { withDaemon } from '../../support/docker-daemon.ts';

const nothing = { DOCKER_HOST: 'unix:///no/docker.sock', PATH: '/nowhere' };

test('opens a sandbox without isolation only when it is asked for by name', async () => {
  const options = { run: 'r', cache: '/nowhere', host: nothing };
  expect(await chooseSandbox('process', options)).toHaveProperty('use');
  await expect(chooseSandbox('docker', options)).rejects.toMatchObject({ code: 'sandbox-missing' });
});

test('takes docker where a daemon answers', async () => {
  const info = { DockerRootDir: '/', Architecture: 'x86_64', SecurityOptions: [] };
  const answers = {
    '/_ping': [200, 'OK'],
    '/info': [200, info],
    '/containers/json': [200, []],
  } as const;
  await withDaemon(answers, async (host) => {
    expect(await chooseSandbox('auto', { run: 'r', cache: '/nowhere', host })).toHaveProperty(
      'use',
    );
  });
});

test('sweeps what its own run left when it was killed, and no other', async () => {
  const left = (run: string) => join(tmpdir(), `csw-box.${run}.1.123.abcdef`);
  for (const run of ['killed', 'neighbour']) await mkdir(left(run));
  await chooseSandbox('process', { run: 'killed', cache: '/nowhere' });
  await expect(rm(left('killed'), { recursive: true })).rejects.toMatchObject({ code: 'ENOENT' });
  await rm(left('neighbour'), { recursive: true });
});

test('diagnoses what is missing line by line, each with what to do', async () => {
  const lines = await diagnoseSandboxes(nothing);
  const bad = lines.filter(({ ok }) => !ok);
  expect(bad.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['docker socket', 'docker daemon', 'docker image']),
  );
  for (const { detail, remedy } of bad) {
    expect(detail).not.toBe('');
    expect(remedy).toMatch(/^(Start|Install|Allow) /);
  }
  expect(lines.find(({ name }) => name === 'process')?.detail).toContain('without isolation');
});
