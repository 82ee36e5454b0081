import type { SeedLink } from '../../schemas/seed.ts';
import type { Thread } from '../../schemas/thread.ts';
import type { GitCommit } from '../context.ts';
import { commitDoc, threadText } from './docs.ts';
import { isClosing, strongest, textLinks } from './links.ts';

/** Threads by number, and pull requests by the commits they ended in. */
export type ThreadIndex = {
  readonly byNumber: ReadonlyMap<number, Thread>;
  readonly byCommit: ReadonlyMap<string, Thread>;
};

/** Index an archive. Of two pull requests that claim one commit the first stays. */
export function indexThreads(threads: readonly Thread[]): ThreadIndex {
  const byCommit = new Map<string, Thread>();
  const claims = (field: 'mergeCommit' | 'headCommit') => {
    for (const thread of threads) {
      const hash = thread[field];
      if (hash !== null && thread.kind === 'pull' && !byCommit.has(hash))
        byCommit.set(hash, thread);
    }
  };
  claims('mergeCommit');
  claims('headCommit');
  return { byNumber: new Map(threads.map((thread) => [thread.number, thread])), byCommit };
}

/** What a commit has to do with the threads: its pull request, the threads it solved, and every link with its trust. */
export type Ties = {
  readonly pull: Thread | null;
  readonly solved: readonly number[];
  readonly links: readonly SeedLink[];
  /** Everything that belongs to the change, ascending; also numbers that the archive does not hold. */
  readonly threads: readonly number[];
};

/** Tie a commit to its threads. What the host's interface says outranks what texts say. */
export function tieThreads(commit: GitCommit, index: ThreadIndex, repo: string | null): Ties {
  const named = numberInSubject(commit.message);
  const pull = index.byCommit.get(commit.hash) ?? pullNamed(named, index);
  // A number that the archive knows as an issue is what the commit is about, not the commit's own pull request.
  const own = pull?.number ?? (index.byNumber.get(named ?? 0)?.kind === 'issue' ? null : named);
  const links = linksOf(commit, pull, index, repo).filter(({ to }) => to !== own);
  const solved = links.filter(isClosing).map(({ to }) => to);
  const threads = [...new Set([...(own === null ? [] : [own]), ...solved])];
  return { pull, solved, links, threads: threads.toSorted((left, right) => left - right) };
}

function pullNamed(number: number | null, { byNumber }: ThreadIndex): Thread | null {
  const thread = number === null ? undefined : byNumber.get(number);
  return thread?.kind === 'pull' ? thread : null;
}

const SUBJECT = [
  /^Merge pull request #(\d+) /,
  /^[^\n]*\(#(\d+)\)\s*(?:\n|$)/,
  /^See merge request \S*!(\d+)\s*$/m,
];

/** The number that hosts write into the subject of a merge or squash commit. */
function numberInSubject(message: string): number | null {
  const found = SUBJECT.map((pattern) => pattern.exec(message)?.[1]).find((digits) => digits);
  return found === undefined ? null : Number(found);
}

function linksOf(
  commit: GitCommit,
  pull: Thread | null,
  index: ThreadIndex,
  repo: string | null,
): readonly SeedLink[] {
  const own = commitDoc(commit);
  const closes = pull?.closes ?? [];
  const solved = (links: readonly SeedLink[]) => links.filter(isClosing).map(({ to }) => to);
  const fromApi = closes.map((to) =>
    link(`thread:${pull?.number}`, to, 'closing-reference', `closes #${to}`),
  );
  const fromSubject = issueInSubject(commit, index);
  const fromTexts = [
    ...(pull === null ? [] : linksIn(`thread:${pull.number}`, threadText(pull), repo)),
    ...linksIn(own.doc, own.text, repo),
  ];
  const first = strongest([...fromApi, ...fromSubject, ...fromTexts]);
  // What a solved issue says of other threads is worth knowing; that it closes them is not for it to say.
  const further = solved(first).flatMap((number) => {
    const issue = index.byNumber.get(number);
    if (issue === undefined) return [];
    return linksIn(`thread:${number}`, threadText(issue), repo).map((found) =>
      isClosing(found) ? { ...found, kind: 'mention' as const, trust: 'low' as const } : found,
    );
  });
  return strongest([...first, ...further]);
}

/** "Fix the crash (#12)" where #12 is an issue: written by hand, and it names what the commit is about. */
function issueInSubject(
  { hash, message }: GitCommit,
  { byNumber }: ThreadIndex,
): readonly SeedLink[] {
  const number = numberInSubject(message);
  if (number === null || byNumber.get(number)?.kind !== 'issue') return [];
  return [link(`commit:${hash}`, number, 'closing-text', `(#${number})`)];
}

const linksIn = (from: string, text: string, repo: string | null): readonly SeedLink[] =>
  textLinks(text, repo).map(({ to, kind, quote }) => link(from, to, kind, quote));

const link = (from: string, to: number, kind: SeedLink['kind'], quote: string): SeedLink => ({
  from,
  to,
  kind,
  trust: kind === 'closing-reference' || kind === 'closing-text' ? 'high' : 'low',
  quote,
});
