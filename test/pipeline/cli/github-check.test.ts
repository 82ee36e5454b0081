import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkGithub } from '../../../pipeline/github-check.ts';

const TOKEN = 'a-token-that-nobody-has';
const { signal } = new AbortController();

/** A server in the place of GitHub's that gives one answer, and what it was asked. */
async function github(status: number, headers: Record<string, string> = {}) {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(status, headers).end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked };
}

const lookup = (variables: Record<string, string>) => (name: string) => variables[name] ?? null;

test.each([
  ['a token without scopes', 200, { 'x-oauth-scopes': '' }, 'ok', 'scopes: none'],
  ['a token that only reads', 200, { 'x-oauth-scopes': 'read:org, user:email' }, 'ok', 'read:org'],
  ['a fine-grained token', 200, {}, 'ok', 'a token without scopes'],
  [
    'a token that may write',
    200,
    { 'x-oauth-scopes': 'repo, read:org' },
    'warn',
    'more than read: repo',
  ],
  ['a token that ran out', 401, {}, 'warn', 'is refused'],
  ['a server in trouble', 503, {}, 'warn', 'answers 503'],
] as const)('%s', async (_name, status, headers, state, found) => {
  const { url, asked } = await github(status, headers);
  const variables = lookup({ GH_TOKEN: TOKEN, GITHUB_API_URL: url });
  const check = await checkGithub(variables, true, signal);
  expect(check).toMatchObject({ state, found: expect.stringContaining(found) });
  expect(check.remedy === null).toBe(state === 'ok');
  expect(asked).toEqual([`GET /rate_limit Bearer ${TOKEN}`]);
  expect(JSON.stringify(check)).not.toContain(TOKEN);
});

test('asks nobody without --live, and needs no token', async () => {
  const { url, asked } = await github(200);
  const set = lookup({ GITHUB_TOKEN: TOKEN, GITHUB_API_URL: url });
  expect(await checkGithub(set, false, signal)).toMatchObject({
    state: 'ok',
    found: 'GITHUB_TOKEN is set; what it may do is asked with --live',
  });
  const unset = lookup({ GITHUB_API_URL: url });
  expect(await checkGithub(unset, true, signal)).toMatchObject({ state: 'ok' });
  expect(asked).toEqual([]);
});

test('a server that is not there is a warning with its reason', async () => {
  const variables = lookup({ GITHUB_TOKEN: TOKEN, GITHUB_API_URL: 'http://127.0.0.1:9' });
  const check = await checkGithub(variables, true, signal);
  expect([check.state, check.found]).toEqual(['warn', expect.stringContaining('does not answer')]);
});
