import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { mortalDaemon } from '../support/mortal-daemon.ts';

const module = new URL('../../pipeline/sandboxes/docker/client.ts', import.meta.url).href;
const ask = (host: object) => `
  const { connect } = await import(${JSON.stringify(module)});
  const fault = await connect(${JSON.stringify(host)}).then(() => null, (error) => error);
  console.log(JSON.stringify({ name: fault?.name, code: fault?.code, message: fault?.message }));
`;

/** Nobody: a user that exists on no list and owns nothing. */
const NOBODY = 65_534;

test('a socket that this user may not use is a fault that names group and user, and nothing is changed', async () => {
  const { host } = await mortalDaemon();
  const socket = host.DOCKER_HOST.replace('unix://', '');
  chmodSync(dirname(socket), 0o755);
  chmodSync(socket, process.getuid?.() === 0 ? 0o600 : 0);
  // The superuser is refused nothing, so that one asks as somebody else.
  const as = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const argv = ['--input-type=module', '-e', ask(host)];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: '/', ...as });
  expect(JSON.parse(stdout)).toEqual({
    name: 'Fault',
    code: 'sandbox-forbidden',
    message: expect.stringMatching(
      /^docker sandbox failed: user \d+ may not use \S+\. Add the user to the group "docker" and log in again, or choose --sandbox bwrap\.$/,
    ),
  });
});
