import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { openParts } from '../../pipeline/repos/github/archive-parts.ts';
import { collectThreads } from '../../pipeline/repos/github/collect.ts';
import { openHost } from '../../pipeline/repos/github/host.ts';
import { openWire } from '../../pipeline/repos/github/wire.ts';
import { Thread } from '../../schemas/thread.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { Fixture, FixtureThread } from './fixture.ts';
import { type LocalGithub, localGithub } from './server.ts';

/** Planted, to be looked for where it must not be. */
export const TOKEN = 'ghp_planted0123456789';

/** Threads without much in them; every third is a merged pull request that closes the one before. */
export const many = (count: number): FixtureThread[] =>
  Array.from({ length: count }, (_, at) =>
    at % 3 === 2
      ? { number: at + 1, kind: 'pull', closes: [at], mergeCommit: String(at).padStart(40, '0') }
      : { number: at + 1, kind: 'issue', body: `body ${at}` },
  );
export const repository = (
  threads: readonly FixtureThread[],
  more: Partial<Fixture> = {},
): Fixture => ({
  owner: 'ada',
  name: 'engine',
  threads,
  ...more,
});

export type Disturb = NonNullable<Parameters<typeof localGithub>[1]>['disturb'];

/** A server that goes with the test. */
export async function serve(fixture: Fixture, disturb?: Disturb): Promise<LocalGithub> {
  const server = await localGithub(fixture, disturb === undefined ? {} : { disturb });
  onTestFinished(() => server.close());
  return server;
}

type Asked = {
  readonly folder?: string;
  readonly clock?: FakeClock;
  readonly since?: string;
  readonly owner?: string;
  readonly signal?: AbortSignal;
};

/** Everything mined from a server, with what was told on the way. */
export async function mined(server: LocalGithub, asked: Asked = {}) {
  const { folder = tempFolder(), clock = fakeClock(), since = null, owner = 'ada' } = asked;
  const { signal = new AbortController().signal } = asked;
  const told: string[] = [];
  const tell = (line: string) => void told.push(line);
  const host = openHost({ send: openWire(server.endpoint, TOKEN), clock, signal, tell });
  const parts = openParts(folder);
  const state = await collectThreads(
    { owner, name: 'engine', since },
    { host, parts, signal, tell },
  );
  const text = readFileSync(parts.archive, 'utf8');
  const threads = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Thread.parse(JSON.parse(line)));
  return { state, text, threads, told, clock, folder };
}
