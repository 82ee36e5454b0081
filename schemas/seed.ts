import { z } from 'zod';
import { Rejection } from './rejection.ts';

/** A normative sentence with its verbatim quote: `quote` equals characters [start, end) of the named text. */
export const Statement = z.strictObject({
  kind: z.enum(['title', 'list-item', 'sentence', 'changelog', 'signature']),
  text: z.string().min(1),
  quote: z.string().min(1),
  /** `thread:12`, `thread:12#3` (third comment) or `commit:<hash>`. */
  doc: z.string(),
  start: z.number().int().nonnegative(),
  end: z.number().int().positive(),
  authorAssociation: z.string(),
});
export type Statement = z.infer<typeof Statement>;

/** One path changed between two commits; object names of git blobs, null for absent. */
export const FileChange = z.strictObject({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  beforeMode: z.string().nullable(),
  afterMode: z.string().nullable(),
});
export type FileChange = z.infer<typeof FileChange>;

export const SeedLink = z.strictObject({
  from: z.string(),
  to: z.number().int().positive(),
  kind: z.enum(['closing-reference', 'closing-text', 'mention', 'follow-up', 'regression']),
  trust: z.enum(['high', 'low']),
  quote: z.string(),
});
export type SeedLink = z.infer<typeof SeedLink>;

/** One behaviour change that somebody asked for and somebody delivered. */
export const Seed = z.strictObject({
  id: z.string(),
  source: z.string(),
  title: z.string(),
  statements: z.array(Statement),
  threads: z.array(z.number().int().positive()),
  change: z.strictObject({
    base: z.string(),
    head: z.string(),
    /** Position of `head` in the first-parent line, 0 = oldest; orders the seeds of a group. */
    position: z.number().int().nonnegative(),
    source: z.array(FileChange),
    tests: z.array(FileChange),
    other: z.array(FileChange),
    /** `path#symbol`, or `path` where the language has no grammar. */
    symbols: z.array(z.string()),
  }),
  links: z.array(SeedLink),
  facts: z.strictObject({
    languages: z.array(z.string()),
    licence: z.string().nullable(),
    createdAt: z.string(),
    mergedAt: z.string(),
    bot: z.boolean(),
    addedLines: z.number().int().nonnegative(),
    removedLines: z.number().int().nonnegative(),
    /** What was taken out of the statements because it gives the fix away. */
    leaks: z.array(z.strictObject({ kind: z.string(), doc: z.string(), quote: z.string() })),
  }),
  rejections: z.array(Rejection),
});
export type Seed = z.infer<typeof Seed>;

export const SeedEdge = z.strictObject({
  from: z.string(),
  to: z.string(),
  kind: z.enum(['same-symbol', 'same-file', 'blame', 'thread-link', 'test-overlap']),
  weight: z.number().nonnegative(),
  evidence: z.string(),
});
export type SeedEdge = z.infer<typeof SeedEdge>;

export const SeedGraph = z.strictObject({
  source: z.string(),
  seeds: z.array(z.string()),
  edges: z.array(SeedEdge),
});
export type SeedGraph = z.infer<typeof SeedGraph>;
