import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a pretended daemon says: a status and a body by path, without the API's version. */
export type Answers = Readonly<Record<string, readonly [number, unknown]>>;

function answer(response: ServerResponse, [status, body]: readonly [number, unknown]): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Serves answers on a socket of its own while `work` runs; everything else is a 404. */
export async function withDaemon<T>(
  answers: Answers,
  work: (host: { DOCKER_HOST: string }) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'csw-daemon-'));
  const socket = join(folder, 'docker.sock');
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/v[\d.]+/, '').replace(/\?.*/, '');
    answer(response, answers[path] ?? [404, { message: `no such thing: ${path}` }]);
  }).listen(socket);
  await once(server, 'listening');
  try {
    return await work({ DOCKER_HOST: `unix://${socket}` });
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  }
}
