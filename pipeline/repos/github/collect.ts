import type { z } from 'zod';
import type { Thread } from '../../../schemas/thread.ts';
import { Fault } from '../../../stages/fault.ts';
import { IssuesPage, PullsPage, type ThreadNode } from './answers.ts';
import type { ArchiveParts, State } from './archive-parts.ts';
import { completeThread } from './complete.ts';
import type { Host } from './host.ts';
import { issuesQuery, pullsQuery } from './queries.ts';
import { toThread } from './to-thread.ts';
import type { PartError } from './wire.ts';

export type Wanted = {
  readonly owner: string;
  readonly name: string;
  /** Only what changed at this time or later; null: everything. */
  readonly since: string | null;
};

type World = {
  readonly host: Host;
  readonly parts: ArchiveParts;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
};

/** Threads of a page when all goes well; halved when the host cannot bear it, doubled after some good ones. */
export const MOST_THREADS = 25;
const GOOD_PAGES = 4;

type Page = z.infer<typeof IssuesPage> | z.infer<typeof PullsPage>;
type Phase = Exclude<State['phase'], 'done'>;

const newest = { field: 'UPDATED_AT', direction: 'DESC' };
const oldest = { field: 'CREATED_AT', direction: 'ASC' };

type PageAnswer = { readonly page: Page; readonly errors: readonly PartError[] };

async function askPage(
  { owner, name, since }: Wanted,
  { host }: World,
  phase: Phase,
  window: { readonly first: number; readonly after: string | null },
): Promise<PageAnswer | null> {
  const common = { owner, name, ...window };
  const order = since === null ? oldest : newest;
  const answer =
    phase === 'issues'
      ? await host.ask(issuesQuery, { ...common, since }, IssuesPage)
      : await host.ask(pullsQuery, { ...common, order }, PullsPage);
  return answer === null ? null : { page: answer.data, errors: answer.errors };
}

/** Pages of the size that the host bears. */
function pageReader(wanted: Wanted, world: World) {
  let [first, good, tries] = [MOST_THREADS, 0, 0];
  return async (phase: Phase, after: string | null): Promise<PageAnswer> => {
    for (;;) {
      const answer = await askPage(wanted, world, phase, { first, after });
      if (answer !== null) {
        [good, tries] = [good + 1, 0];
        if (good % GOOD_PAGES === 0) first = Math.min(MOST_THREADS, first * 2);
        return answer;
      }
      good = 0;
      first = Math.max(1, Math.floor(first / 2));
      await world.host.backOff(tries++, `no whole answer; asking for ${first} at a time`);
    }
  };
}

const start = ({ since }: Wanted): State => ({
  state: 1,
  repository: '',
  url: '',
  since,
  phase: 'issues',
  cursor: null,
  bytes: 0,
  threads: 0,
  problems: [],
});

/** The list of pull requests knows no time to begin at: it comes newest first and is read until one is too old. */
const isOld = ({ since }: Wanted, node: ThreadNode | null) =>
  since !== null && node !== null && Date.parse(node.updatedAt) < Date.parse(since);

function assertHasCode({ repository }: Page): void {
  if (!repository.isEmpty) return;
  throw new Fault(
    `GitHub failed: ${repository.nameWithOwner} has no commit. Name a repository with a history.`,
    { code: 'source-unborn' },
  );
}

async function takePage(
  state: State,
  phase: Phase,
  wanted: Wanted,
  world: World,
  read: ReturnType<typeof pageReader>,
): Promise<State> {
  const { page, errors } = await read(phase, state.cursor);
  assertHasCode(page);
  const { nameWithOwner, url, threads } = page.repository;
  const problems: string[] = [];
  const onProblem = ({ path, type, message }: PartError) =>
    problems.push(`${path}: ${type === '' ? message : type}`);
  errors.forEach(onProblem);
  const fresh = threads.nodes.filter((node) => phase === 'issues' || !isOld(wanted, node));
  const kept: Thread[] = [];
  for (const node of fresh) {
    if (node === null) continue;
    const holder = phase === 'issues' ? 'Issue' : 'PullRequest';
    const whole = await completeThread(world.host, holder, node, onProblem);
    kept.push(toThread(phase === 'issues' ? 'issue' : 'pull', whole, nameWithOwner));
  }
  const { hasNextPage, endCursor } = threads.pageInfo;
  const isLast = !hasNextPage || fresh.length < threads.nodes.length;
  const next: Omit<State, 'bytes'> = {
    ...state,
    repository: nameWithOwner,
    url,
    phase: isLast ? 'pulls' : phase,
    cursor: isLast ? null : endCursor,
    threads: state.threads + kept.length,
    problems: [...state.problems, ...problems].slice(0, 1000),
  };
  const told = world.parts.keep(kept, next, state.bytes);
  world.tell(`GitHub ${nameWithOwner}: ${told.threads} threads, ${world.host.sent()} requests`);
  return isLast && phase === 'pulls' ? world.parts.finish(told) : told;
}

/**
 * Every issue and pull request of a repository as an archive. Each page is kept before the next is asked for, so that the same call
 * goes on where an earlier one ended, and writes the same bytes.
 */
export async function collectThreads(wanted: Wanted, world: World): Promise<State> {
  const before = world.parts.load();
  let state = before !== null && before.since === wanted.since ? before : start(wanted);
  const read = pageReader(wanted, world);
  while (state.phase !== 'done') {
    world.signal.throwIfAborted();
    state = await takePage(state, state.phase, wanted, world, read);
  }
  return state;
}
