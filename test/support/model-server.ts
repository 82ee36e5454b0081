import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** What the server saw of one request. */
export type Seen = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: IncomingMessage['headers'];
};

/** How the n-th request (from 0) is answered. */
export type Reply = (response: ServerResponse, seen: Seen) => void;

async function bodyOf(request: IncomingMessage): Promise<Seen['body']> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return z.record(z.string(), z.unknown()).parse(JSON.parse(Buffer.concat(pieces).toString()));
}

/** A model server on loopback that plays a script and ends with its test; the last reply is given for ever. */
export async function modelServer(...script: Reply[]): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    bodyOf(request).then((body) => {
      const reply = script[Math.min(seen.length, script.length - 1)];
      seen.push({ body, headers: request.headers });
      reply?.(response, { body, headers: request.headers });
    }, response.destroy.bind(response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, seen };
}

/** One chunk of a streamed answer, as servers write it. */
export const chunk = (delta: object, finish: string | null = null): object => ({
  id: 'answer-1',
  model: 'tiny-2',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

/** The closing chunk that carries the tokens. */
export const usageChunk = {
  id: 'answer-1',
  model: 'tiny-2',
  choices: [],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 20,
    prompt_tokens_details: { cached_tokens: 60 },
    completion_tokens_details: { reasoning_tokens: 5 },
  },
};

const event = (chunks: readonly object[]) =>
  chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');

/** A whole stream with its closing mark. */
export const streamed =
  (...chunks: object[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${event(chunks)}data: [DONE]\n\n`);
  };

/** A stream that says this much; `after` decides what becomes of the connection. */
export const begun =
  (after: (response: ServerResponse) => void, ...chunks: object[]): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event(chunks), () => after(response));
  };

/** A plain answer with any status, body and headers. */
export const plain =
  (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };

/** An error in the form that OpenAI's service gives it. */
export const refusal = (
  status: number,
  error: { message: string; code?: string; type?: string },
  headers: Record<string, string> = {},
): Reply => plain(status, JSON.stringify({ error }), headers);
