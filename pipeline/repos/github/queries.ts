/** Most nested items that one page brings along; what a thread has beyond them is asked for by itself. */
const NESTED = 20;
/** Items of one kind of one thread in a request of its own. */
const MORE = 100;

const PAGE = 'pageInfo { hasNextPage endCursor }';
const LIMIT = 'rateLimit { cost remaining resetAt }';
const SAID = 'author { __typename login } authorAssociation createdAt body';
const ELSEWHERE = 'number repository { nameWithOwner }';
const SOURCE = `source { __typename ... on Issue { ${ELSEWHERE} } ... on PullRequest { ${ELSEWHERE} } }`;

/** What a thread has many of, each with its own pages. */
const lists = {
  comments: { field: 'comments', args: '', nodes: SAID },
  references: {
    field: 'timelineItems',
    args: ', itemTypes: [CROSS_REFERENCED_EVENT]',
    nodes: `... on CrossReferencedEvent { ${SOURCE} }`,
  },
  closes: { field: 'closingIssuesReferences', args: '', nodes: ELSEWHERE },
  reviews: {
    field: 'reviews',
    args: '',
    nodes: `id ${SAID} comments(first: ${NESTED}) { ${PAGE} nodes { ${SAID} } }`,
  },
} as const;

export type ListName = keyof typeof lists;
/** Where a list hangs, in the words of the schema. */
export type Holder = 'Issue' | 'PullRequest' | 'PullRequestReview';

const list = (name: ListName, first: number, after = '') => {
  const { field, args, nodes } = lists[name];
  return `${name}: ${field}(first: ${first}${after}${args}) { ${PAGE} nodes { ${nodes} } }`;
};

const THREAD = `id number title body ${'author { __typename login }'} authorAssociation state createdAt closedAt updatedAt url
  labels(first: 50) { nodes { name } } ${list('comments', NESTED)} ${list('references', NESTED)}`;
const PULL = `${THREAD} mergedAt mergeCommit { oid } headRefOid ${list('closes', NESTED)} ${list('reviews', NESTED)}`;

const REPOSITORY = 'nameWithOwner url isEmpty isPrivate';

/** Issues from the first one on, or those changed since a time. */
export const issuesQuery = `query ($owner: String!, $name: String!, $first: Int!, $after: String, $since: DateTime) {
  ${LIMIT}
  repository(owner: $owner, name: $name) { ${REPOSITORY}
    threads: issues(first: $first, after: $after, orderBy: { field: CREATED_AT, direction: ASC }, filterBy: { since: $since }) {
      totalCount ${PAGE} nodes { ${THREAD} }
    }
  }
}`;

/** Pull requests from the first one on, or from the one changed last: their list knows no time to begin at. */
export const pullsQuery = `query ($owner: String!, $name: String!, $first: Int!, $after: String, $order: IssueOrder!) {
  ${LIMIT}
  repository(owner: $owner, name: $name) { ${REPOSITORY}
    threads: pullRequests(first: $first, after: $after, orderBy: $order) {
      totalCount ${PAGE} nodes { ${PULL} }
    }
  }
}`;

/** How much there is to read, for an estimate. */
export const countQuery = `query ($owner: String!, $name: String!) {
  ${LIMIT}
  repository(owner: $owner, name: $name) { ${REPOSITORY} issues { totalCount } pullRequests { totalCount } }
}`;

/** The next items of one list of one node. */
export const moreQuery = (holder: Holder, name: ListName): string =>
  `query ($id: ID!, $after: String) {
  ${LIMIT}
  node(id: $id) { ... on ${holder} { ${list(name, MORE, ', after: $after')} } }
}`;

/** Every query that is ever sent, for a check against the host's schema. */
export const allQueries = (): readonly string[] => [
  issuesQuery,
  pullsQuery,
  countQuery,
  moreQuery('Issue', 'comments'),
  moreQuery('Issue', 'references'),
  moreQuery('PullRequest', 'comments'),
  moreQuery('PullRequest', 'references'),
  moreQuery('PullRequest', 'closes'),
  moreQuery('PullRequest', 'reviews'),
  moreQuery('PullRequestReview', 'comments'),
];
