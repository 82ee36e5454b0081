import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doctor } from '../../../pipeline/commands/doctor.ts';
import { readRunConfig } from '../../../pipeline/config.ts';
import { hostEnvironment } from '../../../pipeline/env.ts';
import { sandboxHost } from '../../../pipeline/sandbox-host.ts';
import { reachDocker } from '../../../pipeline/sandboxes/docker/daemon.ts';
import { mortalDaemon } from '../../support/mortal-daemon.ts';
import { summaryIn } from '../../support/spawned-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { only, runCli } from '../cli/run-cli.ts';

function runFile(text: string): string {
  const path = join(tempFolder(), 'pipeline.yaml');
  writeFileSync(path, text);
  return path;
}

test.each(['', 'unix://'])('a run file names the socket of the daemon (%s)', async (scheme) => {
  const { host } = await mortalDaemon();
  const socket = host.DOCKER_HOST.replace('unix://', '');
  const config = readRunConfig(runFile(`docker: {socket: "${scheme}${socket}"}\n`));
  expect(await reachDocker(sandboxHost(config))).toMatchObject({ socket, architecture: 'amd64' });
});

test('without one, the variables of the user decide, and with one it alone', () => {
  expect(sandboxHost(readRunConfig(null))).toEqual(hostEnvironment());
  expect(sandboxHost({ docker: { socket: '/named.sock' } })).toEqual({
    ...hostEnvironment(),
    DOCKER_HOST: 'unix:///named.sock',
  });
});

test('doctor looks at the socket of the run file', async () => {
  const { host, calls } = await mortalDaemon();
  const socket = host.DOCKER_HOST.replace('unix://', '');
  const file = runFile(`docker: {socket: ${socket}}\n`);
  const { stdout } = await runCli(['doctor', '--config', file, '--json'], only(doctor));
  const { checks } = summaryIn(stdout);
  expect(checks).toContainEqual({
    name: 'docker socket',
    state: 'ok',
    found: socket,
    remedy: null,
  });
  expect(calls).toContain('GET /_ping');
});

test('a daemon elsewhere is refused where it stands in the file, since boxes are folders here', () => {
  const file = runFile('run: main\ndocker: {socket: "tcp://10.0.0.1:2375"}\n');
  expect(() => readRunConfig(file)).toThrow(/docker\.socket/);
});
