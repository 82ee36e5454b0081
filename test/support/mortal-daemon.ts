import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

/** `die`: gone with its socket; `hang`: takes the call and says nothing; `cut`: dies in the middle of the answer;
 * `sever`: lives on, but this one answer breaks off. */
type Fate = 'die' | 'hang' | 'cut' | 'sever';

/** A call by its method and path, ids left out; `output` is the moment when half of a command's output is out. */
type Moment = { readonly at: string; readonly fate: Fate; readonly call?: number };

const IMAGE = { Id: `sha256:${'1'.repeat(64)}`, Architecture: 'amd64', Config: { Env: [] } };
const INFO = { DockerRootDir: '/', Architecture: 'x86_64', SecurityOptions: [] };
const STATE = { State: { Running: true, OOMKilled: false } };

const ANSWERS: Readonly<Record<string, readonly [number, unknown]>> = {
  'GET /_ping': [200, 'OK'],
  'GET /info': [200, INFO],
  'GET /images/json': [200, IMAGE],
  'POST /containers/create': [201, { Id: 'c1' }],
  'POST /containers/start': [204, undefined],
  'GET /containers/json': [200, STATE],
  'POST /containers/exec': [201, { Id: 'e1' }],
  'POST /containers/kill': [204, undefined],
  'DELETE /containers': [204, undefined],
  'POST /images/create': [200, { status: 'done' }],
};

/** Method and path without version, query and the id in the second place. */
function nameOf({ method, url = '' }: IncomingMessage): string {
  const path = url.replace(/\?.*/, '').replace(/^\/v[\d.]+/, '');
  const [, kind = '', ...rest] = path.split('/');
  const last = rest.at(-1);
  const verbs = ['json', 'create', 'start', 'exec', 'kill'];
  return `${method} /${kind}${last !== undefined && verbs.includes(last) ? `/${last}` : ''}`;
}

const frame = (text: string): Buffer => {
  const header = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(text.length, 4);
  return Buffer.concat([header, Buffer.from(text)]);
};

const UPGRADED =
  'HTTP/1.1 101 UPGRADED\r\nContent-Type: application/vnd.docker.raw-stream\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n';

/** A daemon that answers as one would, until its moments come. Every command prints a version and ends well. */
export async function mortalDaemon(...doom: readonly Moment[]) {
  const socket = join(tempFolder(), 'docker.sock');
  const calls: string[] = [];
  const open = new Set<Socket>();
  let moments = doom;
  let isPrinting = false;
  const server = createServer();
  server.on('connection', (connection: Socket) => {
    open.add(connection);
    connection.on('close', () => open.delete(connection));
  });
  const die = () => {
    server.close();
    for (const connection of open) connection.destroy();
  };
  const fateOf = (name: string): Fate | null => {
    calls.push(name);
    const met = calls.filter((call) => call === name).length;
    const moment = moments.find(({ at, call = 1 }) => at === name && met >= call);
    return moment?.fate ?? null;
  };
  type Answer = { half(): unknown; whole(): unknown; sever(): unknown };
  const meet = (name: string, { half, whole, sever }: Answer): void => {
    const ways: Record<Fate, () => unknown> = {
      hang: () => undefined,
      die: () => setImmediate(die),
      cut: () => [half(), setTimeout(die, 50)],
      sever: () => [half(), setTimeout(sever, 50)],
    };
    const met = fateOf(name);
    if (met === null) whole();
    else ways[met]();
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const exec = [200, { Running: isPrinting, ExitCode: isPrinting ? null : 0 }] as const;
    const name = nameOf(request);
    const answer = name === 'GET /exec/json' ? exec : ANSWERS[name];
    const [status, body] = answer ?? [404, { message: 'no such thing' }];
    const bytes = body === undefined ? '' : JSON.stringify(body);
    const head = { 'content-type': 'application/json', 'content-length': bytes.length };
    request.resume();
    meet(name, {
      half: () => response.writeHead(status, head).write(bytes.slice(0, 1)),
      whole: () => response.writeHead(status, head).end(bytes),
      sever: () => response.destroy(),
    });
  });
  server.on('upgrade', (request: IncomingMessage, stream: Duplex) => {
    stream.on('error', () => stream.destroy());
    const output = frame('v22.18.0\n');
    const end = (work: () => unknown) => () => {
      isPrinting = false;
      work();
    };
    const print = () => {
      stream.write(UPGRADED);
      isPrinting = true;
      meet('output', {
        half: () => stream.write(output.subarray(0, 12)),
        whole: end(() => stream.end(output)),
        sever: end(() => stream.end()),
      });
    };
    meet(nameOf(request), {
      half: () => stream.write(UPGRADED.slice(0, 9)),
      whole: print,
      sever: () => stream.destroy(),
    });
  });
  const listen = async () => {
    server.listen(socket);
    await once(server, 'listening');
  };
  await listen();
  onTestFinished(die);
  return {
    host: { DOCKER_HOST: `unix://${socket}` },
    calls,
    /** A daemon that was started again, and lives. */
    async revive(): Promise<void> {
      moments = [];
      isPrinting = false;
      if (!server.listening) await listen();
    },
  };
}
