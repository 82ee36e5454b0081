import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allQueries } from '../../pipeline/repos/github/queries.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { FixtureThread } from './fixture.ts';
import { many, mined, repository, serve, TOKEN } from './kit.ts';
import { type LocalGithub, queryProblems } from './server.ts';

describe('mining GitHub, against its own schema', () => {
  test('sends no query that the schema refuses', () => {
    expect(allQueries().flatMap(queryProblems)).toEqual([]);
    expect(queryProblems('{ repository { nothing } }')).not.toEqual([]);
  });

  test('writes every thread once, by number, with everything that was said', async () => {
    const server = await serve(
      repository([
        {
          number: 3,
          kind: 'issue',
          by: null,
          labels: ['bug'],
          comments: [{ body: 'one' }],
          namedBy: [7],
        },
        {
          number: 7,
          kind: 'pull',
          by: 'dependabot',
          isBot: true,
          closes: [3, 'else/where#9'],
          mergeCommit: 'a'.repeat(40),
          headCommit: 'b'.repeat(40),
          reviews: [
            { body: '', lines: [{ body: 'at a line' }] },
            { body: 'looks right', by: null },
          ],
        },
      ]),
    );
    const { threads } = await mined(server);
    expect(threads).toMatchObject([
      {
        number: 3,
        author: null,
        labels: ['bug'],
        crossReferences: [7],
        comments: [{ body: 'one' }],
      },
      {
        number: 7,
        author: 'dependabot[bot]',
        closes: [3],
        closesElsewhere: ['else/where#9'],
        mergeCommit: 'a'.repeat(40),
        headCommit: 'b'.repeat(40),
        comments: [{ kind: 'review', author: null }, { kind: 'review-comment' }],
      },
    ]);
  });

  test('reads on where a thread has more than a page of anything', async () => {
    const bodies = Array.from({ length: 257 }, (_, at) => ({ body: `said ${at}` }));
    const server = await serve(
      repository([
        {
          number: 1,
          kind: 'pull',
          comments: bodies,
          closes: bodies.map((_, at) => at + 2),
          namedBy: bodies.map((_, at) => at + 1000),
          reviews: bodies
            .slice(0, 45)
            .map(({ body }, at) => ({ body, lines: at === 44 ? bodies : [] })),
        },
      ]),
    );
    const { threads } = await mined(server);
    expect(threads[0]?.comments).toHaveLength(257 + 45 + 257);
    expect(threads[0]?.closes).toHaveLength(257);
    expect(threads[0]?.crossReferences).toHaveLength(257);
  });

  test('takes a thread of ten megabytes', async () => {
    const body = 'x'.repeat(10 * 1024 * 1024);
    const { threads } = await mined(await serve(repository([{ number: 1, kind: 'issue', body }])));
    expect(threads[0]?.body).toHaveLength(body.length);
  });

  test('ends with the same bytes wherever it was stopped, and asks for no page twice', async () => {
    const fixture = repository(many(230));
    const whole = await mined(await serve(fixture));
    const pages = (server: LocalGithub) =>
      server.heard.map(({ variables }) => `${String(variables.order)} ${String(variables.after)}`);
    for (const stopAt of [1, 3, 7, 9]) {
      const stop = new AbortController();
      const server = await serve(fixture, (n) => {
        if (n === stopAt) stop.abort();
        return null;
      });
      const folder = tempFolder();
      await expect(mined(server, { folder, signal: stop.signal })).rejects.toThrow();
      // What was written behind the last noted page is not trusted.
      appendFileSync(join(folder, 'threads.part'), '{"number":1,"cut');
      const again = await mined(server, { folder });
      expect(again.text).toBe(whole.text);
      expect(new Set(pages(server)).size).toBeGreaterThanOrEqual(pages(server).length - 1);
    }
  });

  test('reads only what changed since, over the archive of before', async () => {
    const threads = many(90);
    const folder = tempFolder();
    const before = await mined(await serve(repository(threads)), { folder });
    const later = { updatedAt: '2026-05-01T00:00:00Z' };
    const changed: FixtureThread[] = threads.map((one) =>
      one.number === 4 || one.number === 90 ? { ...one, ...later, title: 'changed' } : one,
    );
    const added: FixtureThread = { number: 91, kind: 'issue', ...later };
    const server = await serve(repository([...changed, added]));
    const after = await mined(server, { folder, since: '2026-04-01T00:00:00Z' });
    expect(before.threads).toHaveLength(90);
    expect(after.threads).toHaveLength(91);
    expect(
      after.threads.filter(({ title }) => title === 'changed').map(({ number }) => number),
    ).toEqual([4, 90]);
    expect(after.state.threads).toBe(3);
    expect(server.heard).toHaveLength(2);
  });
});

test('the token stands in one header of each request and nowhere else', async () => {
  const server = await serve(repository(many(30)), (n) =>
    n === 2 ? { status: 502, body: '' } : null,
  );
  const { folder, told, state } = await mined(server);
  for (const { headers, query, variables } of server.heard) {
    expect(headers.authorization).toBe(`bearer ${TOKEN}`);
    expect(headers['user-agent']).toMatch(/^codespecweave/u);
    expect(JSON.stringify([query, variables])).not.toContain(TOKEN);
  }
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const bad = await serve(repository([]), () => ({ status: 401, body: '{}' }));
  const error = await mined(bad).catch((cause: unknown) => cause);
  const all = [...files, ...told, JSON.stringify(state), String(error), JSON.stringify(error)];
  expect(all.filter((text) => text.includes(TOKEN))).toEqual([]);
  expect(existsSync(join(folder, 'threads.part'))).toBe(false);
});
