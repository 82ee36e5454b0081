import { z } from 'zod';

const Comment = z.strictObject({
  kind: z.enum(['comment', 'review', 'review-comment']),
  author: z.string().nullable(),
  authorAssociation: z.string().default('NONE'),
  createdAt: z.iso.datetime({ offset: true }),
  body: z.string(),
});

/**
 * One issue or pull request of a source, as one line of `threads.jsonl`.
 * `closes`: numbers that the host's own interface names as closed by this pull request; never read from text.
 * `closesElsewhere`: the same in other repositories, as `owner/name#12`. `crossReferences`: threads here that name this one.
 * Commits are full object names; null where the host does not say.
 */
export const Thread = z.strictObject({
  number: z.number().int().positive(),
  kind: z.enum(['issue', 'pull']),
  title: z.string(),
  body: z.string(),
  author: z.string().nullable(),
  authorAssociation: z.string().default('NONE'),
  state: z.enum(['open', 'closed', 'merged']),
  createdAt: z.iso.datetime({ offset: true }),
  closedAt: z.iso.datetime({ offset: true }).nullable().default(null),
  mergedAt: z.iso.datetime({ offset: true }).nullable().default(null),
  labels: z.array(z.string()).default([]),
  url: z.string().nullable().default(null),
  closes: z.array(z.number().int().positive()).default([]),
  closesElsewhere: z.array(z.string()).default([]),
  crossReferences: z.array(z.number().int().positive()).default([]),
  mergeCommit: z.string().nullable().default(null),
  headCommit: z.string().nullable().default(null),
  comments: z.array(Comment).default([]),
});
export type Thread = z.infer<typeof Thread>;
