import { z } from 'zod';

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

/** A page of a list; items that the host could not read are null. */
const listOf = <T extends z.ZodType>(node: T) =>
  z.object({ pageInfo: PageInfo, nodes: z.array(node.nullable()) });

const Said = z.object({
  author: z.object({ __typename: z.string(), login: z.string() }).nullable(),
  authorAssociation: z.string(),
  createdAt: z.string(),
  body: z.string(),
});
export type Said = z.infer<typeof Said>;

const Elsewhere = z.object({
  number: z.number().int().positive(),
  repository: z.object({ nameWithOwner: z.string() }),
});

const Reference = z.object({
  source: z.union([Elsewhere, z.object({ __typename: z.string() })]).nullable(),
});
const Review = z.object({ id: z.string(), ...Said.shape, comments: listOf(Said) });

const thread = {
  id: z.string(),
  number: z.number().int().positive(),
  title: z.string(),
  body: z.string(),
  author: Said.shape.author,
  authorAssociation: z.string(),
  state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
  createdAt: z.string(),
  closedAt: z.string().nullable(),
  updatedAt: z.string(),
  url: z.string(),
  labels: z.object({ nodes: z.array(z.object({ name: z.string() }).nullable()) }).nullable(),
  comments: listOf(Said),
  references: listOf(Reference),
};

const IssueNode = z.object(thread);
const PullNode = z.object({
  ...thread,
  mergedAt: z.string().nullable(),
  mergeCommit: z.object({ oid: z.string() }).nullable(),
  headRefOid: z.string(),
  closes: listOf(Elsewhere).nullable(),
  reviews: listOf(Review).nullable(),
});
export type ThreadNode = z.infer<typeof IssueNode> & Partial<z.infer<typeof PullNode>>;

const RateLimit = z
  .object({ cost: z.number(), remaining: z.number(), resetAt: z.string() })
  .nullable();

const repository = {
  nameWithOwner: z.string(),
  url: z.string(),
  isEmpty: z.boolean(),
  isPrivate: z.boolean(),
};

const pageOf = <T extends z.ZodType>(node: T) =>
  z.object({
    rateLimit: RateLimit,
    repository: z.object({
      ...repository,
      threads: listOf(node).extend({ totalCount: z.number().int() }),
    }),
  });

export const IssuesPage = pageOf(IssueNode);
export const PullsPage = pageOf(PullNode);

export const Counts = z.object({
  rateLimit: RateLimit,
  repository: z.object({
    ...repository,
    issues: z.object({ totalCount: z.number().int() }),
    pullRequests: z.object({ totalCount: z.number().int() }),
  }),
});

/** The lists of a thread that a request for more of one can bring. */
export const moreOf = {
  comments: listOf(Said),
  references: listOf(Reference),
  closes: listOf(Elsewhere),
  reviews: listOf(Review),
};

/** The one part that every answer has. */
export const Limited = z.object({ rateLimit: RateLimit });
export type Limit = NonNullable<z.infer<typeof RateLimit>>;
