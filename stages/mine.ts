import type { Seed } from '../schemas/seed.ts';
import type { Source } from '../schemas/source.ts';
import type { Parse } from '../schemas/syntax.ts';
import type { Thread } from '../schemas/thread.ts';
import type { Repo } from './context.ts';
import { assembleSeed } from './miners/assemble-seed.ts';
import { symbolReader } from './miners/change-symbols.ts';
import { isChangelog } from './miners/changelog-lines.ts';
import type { Doc } from './miners/docs.ts';
import { readChanges } from './miners/read-change.ts';
import { type LanguageRules, splitChanges } from './miners/split-changes.ts';
import { indexThreads, tieThreads } from './miners/tie-threads.ts';

export type MineRequest = {
  readonly source: Source;
  /** The archive; empty where there is none, then commit messages must do. */
  readonly threads: AsyncIterable<Thread> | Iterable<Thread>;
  readonly repo: Repo;
  readonly parse: Parse;
  readonly languageRules: LanguageRules;
  /** Commits to look at, newest first. */
  readonly max: number;
  /** The source's head by default. */
  readonly ref?: string;
  /** Gets every text that a statement of a seed quotes, before that seed comes; the same text may come again. */
  readonly onDoc?: (doc: Doc) => void;
};

/**
 * One seed for every commit of the first-parent line, newest first; unusable ones say why, none is left out.
 * Equal input gives equal seeds. Faults of the repository pass through, after the seeds that were readable.
 */
export async function* mineSource(request: MineRequest): AsyncGenerator<Seed> {
  const { source, repo, parse, max, ref = source.head, onDoc } = request;
  const threads: Thread[] = [];
  for await (const thread of request.threads) threads.push(thread);
  const index = indexThreads(threads);
  const split = splitChanges(request.languageRules);
  const host = hostName(source.url);
  const symbolsOf = symbolReader(parse);
  for await (const commit of repo.commits({ ref, max })) {
    const parts = split(commit.changes);
    const reads = await readParts(repo, parts);
    const ties = tieThreads(commit, index, host);
    const mined = assembleSeed({ source, commit, ties, split: parts, reads }, index, symbolsOf);
    for (const doc of mined.docs) onDoc?.(doc);
    yield mined.seed;
  }
}

type Parts = ReturnType<ReturnType<typeof splitChanges>>;

/** Of the rest only changelogs are read; the root commit's files and vendored trees need not be. */
async function readParts(repo: Repo, { source, tests, other }: Parts) {
  return {
    source: await readChanges(repo, source),
    tests: await readChanges(repo, tests),
    other: await readChanges(
      repo,
      other.filter(({ path }) => isChangelog(path)),
    ),
  };
}

/** `owner/name` of an address, for links written out in full. */
function hostName(url: string | null): string | null {
  return url === null ? null : (/[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url)?.[1] ?? null);
}

/** How many commits became usable seeds, and how many were refused for which reason first. The numbers add up. */
export type Funnel = {
  readonly commits: number;
  readonly usable: number;
  readonly rejected: Readonly<Record<string, number>>;
};

/** Count seeds by the first reason against each; codes sorted. */
export function funnelOf(seeds: readonly Pick<Seed, 'rejections'>[]): Funnel {
  const counts = new Map<string, number>();
  for (const { rejections } of seeds) {
    const code = rejections[0]?.code;
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const rejected = Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const refused = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { commits: seeds.length, usable: seeds.length - refused, rejected };
}
