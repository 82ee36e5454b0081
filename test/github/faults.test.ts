import { describe, expect, test } from 'vitest';
import { openParts } from '../../pipeline/repos/github/archive-parts.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Disturb, many, mined, repository, serve } from './kit.ts';

const limited = (headers: Record<string, string>, status = 200) => ({
  status,
  headers,
  body: JSON.stringify({ errors: [{ type: 'RATE_LIMITED', message: 'API rate limit exceeded' }] }),
});

describe('limits', () => {
  test.each<[string, Awaited<ReturnType<NonNullable<Disturb>>>, number]>([
    [
      'the hourly limit, in a 200',
      limited({
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Date.UTC(2026, 0, 1, 0, 20) / 1000),
      }),
      20 * 60_000 + 1000,
    ],
    [
      'the limit on bursts, with a time',
      {
        status: 403,
        headers: { 'retry-after': '90' },
        body: '{"message":"You have exceeded a secondary rate limit"}',
      },
      90_000,
    ],
    [
      'the limit on bursts, without a time',
      { status: 403, body: '{"message":"You have exceeded a secondary rate limit"}' },
      60_000,
    ],
    ['too many requests', { status: 429, headers: { 'retry-after': '7' }, body: '{}' }, 7000],
  ])('%s is waited for, and told', async (_, reply, ms) => {
    const server = await serve(repository(many(9)), (n) => (n === 2 ? reply : null));
    const { threads, told, clock } = await mined(server);
    expect(clock.slept).toEqual([ms]);
    expect(told.join('\n')).toMatch(/waiting \d+ s, until .* Ctrl-C keeps what was read/u);
    expect(threads).toHaveLength(9);
  });

  test('a limit that is nearly used up is not run into', async () => {
    const server = await serve(repository(many(60)), async (n, _, answer) => {
      if (n !== 1) return null;
      const said = JSON.parse(await answer()) as { data: { rateLimit: object } };
      said.data.rateLimit = { cost: 1, remaining: 2, resetAt: '2026-01-01T00:05:00Z' };
      return { body: JSON.stringify(said) };
    });
    const { clock } = await mined(server);
    expect(clock.slept).toEqual([5 * 60_000 + 1000]);
  });

  test('a wait ends with Ctrl-C, and what was read is kept', async () => {
    const stop = new AbortController();
    const server = await serve(repository(many(60)), (n) =>
      n === 2 ? { status: 429, headers: { 'retry-after': '3000' }, body: '{}' } : null,
    );
    const folder = tempFolder();
    const clock = { ...fakeClock(), sleep: async () => stop.abort() } as unknown as FakeClock;
    await expect(mined(server, { folder, clock, signal: stop.signal })).rejects.toThrow();
    expect(openParts(folder).load()?.threads).toBe(25);
  });
});

describe('an answer that is none', () => {
  const faults: [string, { status?: number; headers?: Record<string, string>; body: string }][] = [
    [
      'HTML with status 200',
      { headers: { 'content-type': 'text/html' }, body: '<html>down</html>' },
    ],
    ['nothing with status 200', { body: '' }],
    ['cut JSON with status 200', { body: '{"data":{"repository":{"thr' }],
    ['a gateway that gave up', { status: 502, body: '{"data":null}' }],
    ['data without a repository or a reason', { body: '{"data":{"repository":null}}' }],
    ['an error of the host', { body: '{"errors":[{"message":"Something went wrong"}]}' }],
    ['another shape', { body: '{"data":{"repository":{"threads":{"nodes":[]}}}}' }],
  ];
  test.each(faults)('%s is no empty page: less is asked for, and all is read', async (_, reply) => {
    const server = await serve(repository(many(80)), (n) => (n === 2 || n === 3 ? reply : null));
    const { threads, clock } = await mined(server);
    expect(threads).toHaveLength(80);
    expect(clock.slept).toEqual([1000, 2000]);
    const asked = server.heard.slice(1, 4).map(({ variables }) => variables.first);
    expect(asked).toEqual([25, 12, 6]);
  });

  test('again and again is a fault that says how to go on', async () => {
    const server = await serve(repository(many(9)), () => ({ status: 502, body: '' }));
    await expect(mined(server)).rejects.toMatchObject({
      code: 'host-unavailable',
      message: expect.stringContaining('it goes on from the last page'),
    });
    expect(server.heard.at(-1)?.variables.first).toBe(1);
  });

  test('in part keeps the other part, with its place', async () => {
    const server = await serve(repository(many(6)), async (n, _, answer) => {
      if (n !== 1) return null;
      const said = JSON.parse(await answer()) as {
        data: { repository: { threads: { nodes: unknown[] } } };
      };
      said.data.repository.threads.nodes[1] = null;
      const path = ['repository', 'threads', 'nodes', 1];
      return {
        body: JSON.stringify({
          ...said,
          errors: [{ type: 'SERVICE_UNAVAILABLE', path, message: 'no' }],
        }),
      };
    });
    const { threads, state } = await mined(server);
    expect(threads.map(({ number }) => number)).toEqual([1, 3, 4, 5, 6]);
    expect(state.problems).toEqual(['repository.threads.nodes.1: SERVICE_UNAVAILABLE']);
  });
});

describe('a repository that cannot be read', () => {
  test('or is hidden from the token, is named so', async () => {
    const server = await serve(repository([]));
    await expect(mined(server, { owner: 'nobody' })).rejects.toMatchObject({
      code: 'source-hidden',
    });
    expect(server.heard).toHaveLength(1);
  });

  test('without a commit is named so', async () => {
    const server = await serve(repository([], { isEmpty: true }));
    await expect(mined(server)).rejects.toMatchObject({ code: 'source-unborn' });
  });

  test('under an old name is read under its new one', async () => {
    const { state } = await mined(await serve(repository(many(3))), { owner: 'old' });
    expect(state.repository).toBe('ada/engine');
  });

  test.each([
    [{ status: 401, body: '{"message":"Bad credentials"}' }],
    [{ body: '{"errors":[{"type":"INSUFFICIENT_SCOPES","message":"needs read:org"}]}' }],
    [{ status: 403, body: '{"message":"Resource not accessible by personal access token"}' }],
  ])('for want of rights is asked once and says what to set: %j', async (reply) => {
    const server = await serve(repository(many(3)), () => reply);
    await expect(mined(server)).rejects.toMatchObject({
      code: 'token-refused',
      message: expect.stringMatching(/Set GITHUB_TOKEN/),
    });
    expect(server.heard).toHaveLength(1);
  });
});
