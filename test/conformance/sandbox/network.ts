import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { expect } from 'vitest';
import { file, type Kit, run, text, told } from './kit.ts';

/** Tries one connection and prints how it went; bounded, and never aimed away from this machine. */
const KNOCK = `
const [host, port] = process.argv.slice(2);
const socket = require('node:net').connect(port === undefined ? { path: '\\0' + host } : { host, port: Number(port) });
socket.setTimeout(2000, () => { console.log('timeout'); process.exit(); });
socket.on('connect', () => { console.log('connected'); process.exit(); });
socket.on('error', (error) => { console.log(error.code); process.exit(); });
`;

/** Sends one datagram and prints how it went. */
const SEND = `
const [host, kind] = process.argv.slice(2);
const socket = require('node:dgram').createSocket(kind);
socket.send('x', 53, host, (error) => { console.log(error ? error.code : 'sent'); process.exit(); });
`;

const REFUSED = /^(ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH|EHOSTUNREACH)$/;
const UNKNOWN = /^(ENOTFOUND|EAI_AGAIN)$/;
/** Kept for documents (RFC 5737, RFC 3849): nobody has them, here or elsewhere. */
const NOBODY = ['192.0.2.1', '203.0.113.7', '2001:db8::1'];

const addresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ scopeid }) => !scopeid)
    .map(({ address }) => address);

async function listening(server: Server, where: object): Promise<string> {
  server.listen(where);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? String(address?.port) : '';
}

/** Behaviours of a sandbox that claims isolation: no network, by name or by address. */
export function networkBehaviours({ behaviour, inBox }: Kit): void {
  behaviour('has no interface but its own loopback, and no route', async () => {
    await inBox(async (box) => {
      const names = await told(box, 'tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "');
      expect(names).toBe('lo');
      expect(await told(box, 'tail -n +2 /proc/net/route')).toBe('');
      const routes6 = await told(box, 'cat /proc/net/ipv6_route 2>/dev/null | grep -v " lo$"');
      expect(routes6).toBe('');
    });
  });

  behaviour('reaches no listener of the host, by name or by address', async () => {
    let callers = 0;
    const server = createServer((socket) => {
      callers += 1;
      socket.destroy();
    });
    const port = await listening(server, { port: 0, host: '::' });
    try {
      await inBox(async (box) => {
        await box.write([file('knock.cjs', KNOCK)]);
        for (const host of ['localhost', '0.0.0.0', ...addresses()]) {
          const { stdout } = await run(box, ['node', 'knock.cjs', host, port]);
          expect(text(stdout).trim(), host).toMatch(REFUSED);
        }
        for (const name of [hostname(), 'host.docker.internal', 'host.containers.internal']) {
          const { stdout } = await run(box, ['node', 'knock.cjs', name, port]);
          expect(text(stdout).trim(), name).toMatch(UNKNOWN);
        }
      });
      expect(callers).toBe(0);
    } finally {
      server.close();
    }
  });

  behaviour('sends nothing to an address, be it a call or a datagram', async () => {
    await inBox(async (box) => {
      await box.write([file('knock.cjs', KNOCK), file('send.cjs', SEND)]);
      for (const host of NOBODY) {
        const kind = host.includes(':') ? 'udp6' : 'udp4';
        const called = await run(box, ['node', 'knock.cjs', host, '53']);
        const sent = await run(box, ['node', 'send.cjs', host, kind]);
        expect(text(called.stdout).trim(), host).toMatch(REFUSED);
        expect(text(sent.stdout).trim(), host).toMatch(REFUSED);
      }
    });
  });

  behaviour('reaches no socket of the host that has a name and no file', async () => {
    const name = `csw-host-${process.pid}`;
    const server = createServer((socket) => socket.destroy());
    await listening(server, { path: `\0${name}` });
    try {
      await inBox(async (box) => {
        await box.write([file('knock.cjs', KNOCK)]);
        const { stdout } = await run(box, ['node', 'knock.cjs', name]);
        expect(text(stdout).trim()).toBe('ECONNREFUSED');
      });
    } finally {
      server.close();
    }
  });
}
