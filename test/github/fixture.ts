type Window = { first?: number; after?: string | null };

/** One page of a list as GitHub's schema has it, from a plain array; cursors are places. */
function connection<T>(all: readonly T[], nodeOf: (one: T) => unknown = (one) => one) {
  return ({ first = 30, after }: Window) => {
    const from = after == null ? 0 : Number(Buffer.from(after, 'base64').toString()) + 1;
    const page = all.slice(from, from + first);
    const last = from + page.length - 1;
    return {
      totalCount: all.length,
      nodes: page.map(nodeOf),
      pageInfo: {
        hasNextPage: last < all.length - 1,
        endCursor: page.length === 0 ? null : Buffer.from(String(last)).toString('base64'),
        hasPreviousPage: from > 0,
        startCursor: null,
      },
    };
  };
}

type FixtureSaid = {
  readonly by?: string | null;
  readonly at?: string;
  readonly body: string;
};
type FixtureReview = FixtureSaid & { readonly lines?: readonly FixtureSaid[] };

/** A thread of the fixture; what is left out is as plain as can be. */
export type FixtureThread = {
  readonly number: number;
  readonly kind: 'issue' | 'pull';
  readonly title?: string;
  readonly body?: string;
  readonly by?: string | null;
  readonly isBot?: boolean;
  readonly updatedAt?: string;
  readonly labels?: readonly string[];
  readonly comments?: readonly FixtureSaid[];
  readonly reviews?: readonly FixtureReview[];
  /** `12`, or `owner/name#12` elsewhere. */
  readonly closes?: readonly (number | string)[];
  readonly namedBy?: readonly number[];
  readonly mergeCommit?: string | null;
  readonly headCommit?: string;
};

export type Fixture = {
  readonly owner: string;
  readonly name: string;
  readonly isEmpty?: boolean;
  readonly threads: readonly FixtureThread[];
};

const time = (number: number) => new Date(Date.UTC(2024, 0, 1, number)).toISOString();

const actor = (login: string | null | undefined, isBot = false) =>
  login === null ? null : { __typename: isBot ? 'Bot' : 'User', login: login ?? 'ada' };

const said =
  (number: number) =>
  (one: FixtureSaid, at = 0) => ({
    author: actor(one.by),
    authorAssociation: 'CONTRIBUTOR',
    createdAt: one.at ?? time(number + at),
    body: one.body,
  });

const place = (here: string, to: number | string) => {
  const [name = here, number = String(to)] =
    typeof to === 'number' ? [here, String(to)] : to.split('#');
  return { number: Number(number), repository: { nameWithOwner: name } };
};

const plain = {
  body: '',
  labels: [],
  comments: [],
  reviews: [],
  closes: [],
  namedBy: [],
  mergeCommit: null,
  headCommit: 'f'.repeat(40),
};

const reviewNode = (number: number, at: number, review: FixtureReview) => ({
  __typename: 'PullRequestReview',
  id: `review-${number}-${at}`,
  ...said(number)(review),
  comments: connection(review.lines ?? [], said(number)),
});

function threadNode(here: string, given: FixtureThread) {
  const one = {
    ...plain,
    title: `thread ${given.number}`,
    updatedAt: time(given.number),
    ...given,
  };
  const { number, kind, mergeCommit, reviews } = one;
  const isMerged = mergeCommit !== null;
  const ended = isMerged ? time(number + 1) : null;
  return {
    ...one,
    __typename: kind === 'pull' ? 'PullRequest' : 'Issue',
    id: `${kind}-${number}`,
    author: actor(one.by, one.isBot),
    authorAssociation: 'CONTRIBUTOR',
    state: isMerged ? 'MERGED' : 'OPEN',
    createdAt: time(number),
    closedAt: ended,
    mergedAt: ended,
    url: `https://github.test/${here}/${kind}/${number}`,
    labels: connection(one.labels.map((name) => ({ name }))),
    comments: connection(one.comments, said(number)),
    timelineItems: connection(one.namedBy, (from) => ({
      __typename: 'CrossReferencedEvent',
      source: { __typename: 'Issue', ...place(here, from) },
    })),
    headRefOid: one.headCommit,
    mergeCommit: isMerged ? { oid: mergeCommit } : null,
    closingIssuesReferences: connection(one.closes, (to) => place(here, to)),
    reviews: connection(reviews, (review) => reviewNode(number, reviews.indexOf(review), review)),
  };
}

/** Root of the schema over a fixture: what GitHub would answer from. */
export function rootOf({ owner, name, isEmpty = false, threads }: Fixture) {
  const here = `${owner}/${name}`;
  const node = (one: FixtureThread) => threadNode(here, one);
  const byAge = (kind: FixtureThread['kind']) => threads.filter((one) => one.kind === kind);
  const byChange = (all: readonly FixtureThread[]) =>
    all.toSorted((left, right) =>
      (right.updatedAt ?? time(right.number)).localeCompare(left.updatedAt ?? time(left.number)),
    );
  return {
    rateLimit: { cost: 1, remaining: 5000, resetAt: time(0), limit: 5000, nodeCount: 1, used: 0 },
    repository: (asked: { owner: string; name: string }) =>
      asked.owner.toLowerCase() === owner.toLowerCase() || asked.owner === 'old'
        ? {
            nameWithOwner: here,
            url: `https://github.test/${here}`,
            isEmpty,
            isPrivate: false,
            issues: (args: Window & { filterBy?: { since?: string | null } }) => {
              const since = args.filterBy?.since;
              const all = byAge('issue').filter(
                (one) => since == null || (one.updatedAt ?? time(one.number)) >= since,
              );
              return connection(all, node)(args);
            },
            pullRequests: (args: Window & { orderBy?: { field: string } }) => {
              const all = byAge('pull');
              const isByChange = args.orderBy?.field === 'UPDATED_AT';
              return connection(isByChange ? byChange(all) : all, node)(args);
            },
          }
        : null,
    node({ id }: { id: string }) {
      const [kind, number, at] = id.split('-');
      const thread = threads.find(
        (one) => String(one.number) === number && (kind === 'review' || one.kind === kind),
      );
      if (thread === undefined) return null;
      const whole = node(thread);
      return kind === 'review' ? whole.reviews({ first: 1000 }).nodes[Number(at)] : whole;
    },
  };
}
