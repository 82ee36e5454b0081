import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { schema as published } from '@octokit/graphql-schema';
import { buildClientSchema, graphql, type IntrospectionQuery, parse, validate } from 'graphql';
import { type Fixture, rootOf } from './fixture.ts';

/** GitHub's own public schema. Every query is validated against it before anything is answered. */
const githubSchema = buildClientSchema(published.json as unknown as IntrospectionQuery);

/** What is wrong with a query by GitHub's schema. */
export const queryProblems = (query: string): string[] =>
  validate(githubSchema, parse(query)).map(({ message }) => message);

type Heard = {
  readonly headers: IncomingHttpHeaders;
  readonly query: string;
  readonly variables: Record<string, unknown>;
};
type Reply = {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: string;
};

export type LocalGithub = {
  readonly endpoint: string;
  readonly heard: Heard[];
  close(): Promise<void>;
};

type Behaviour = {
  /** Another answer for the n-th request, from 1; null for the true one. May change what the schema answered. */
  readonly disturb?: (
    n: number,
    heard: Heard,
    answer: () => Promise<string>,
  ) => Promise<Reply | null> | Reply | null;
};

async function answerOf(fixture: Fixture, { query, variables }: Heard): Promise<string> {
  const result = await graphql({
    schema: githubSchema,
    source: query,
    rootValue: rootOf(fixture),
    variableValues: variables,
  });
  const missing = result.data?.repository === null && !result.errors;
  const errors = missing
    ? [{ type: 'NOT_FOUND', path: ['repository'], message: 'Could not resolve to a Repository' }]
    : result.errors;
  return JSON.stringify(errors ? { data: result.data, errors } : { data: result.data });
}

/** A server on loopback that executes GitHub's schema over a fixture, with faults where a test wants them. */
export async function localGithub(
  fixture: Fixture,
  { disturb }: Behaviour = {},
): Promise<LocalGithub> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Omit<Heard, 'headers'>;
    const one = { headers: request.headers, query: body.query, variables: body.variables ?? {} };
    heard.push(one);
    const answer = () => answerOf(fixture, one);
    const reply = (await disturb?.(heard.length, one, answer)) ?? { body: await answer() };
    response.writeHead(reply.status ?? 200, {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-remaining': '4999',
      ...reply.headers,
    });
    response.end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    heard,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => (error ? reject(error) : resolve()));
      }),
  };
}
