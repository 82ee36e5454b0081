import { z } from 'zod';
import { Contract } from './contract.ts';
import { Coupling } from './coupling.ts';
import { Digest } from './digest.ts';
import { EnvironmentSpec } from './environment.ts';
import { Requirement } from './requirement.ts';

/** The gold change in order: each part is the step from one tree to the next; it is applied when all it `needs` is asked for. */
export const GoldPart = z.strictObject({
  id: z.string(),
  needs: z.array(z.string()).min(1),
  before: Digest,
  after: Digest,
});
export type GoldPart = z.infer<typeof GoldPart>;

export const OverlayFile = z.strictObject({ path: z.string(), sha256: Digest });
export type OverlayFile = z.infer<typeof OverlayFile>;

/** Where a solution that nobody asked a model of this run for came from. No figure is drawn from `authored`. */
const Provenance = z.enum(['authored', 'model', 'rule']);

/** A solution of one requirement on the base alone, by someone who was shown no other. */
export const Solo = z.strictObject({
  requirement: z.string(),
  tree: Digest,
  by: Provenance,
  entrant: z.string(),
  request: Digest.nullable(),
});
export type Solo = z.infer<typeof Solo>;

/** A private executable check of one clause: a test file that no solver sees. */
export const Probe = z.strictObject({ id: z.string(), clause: z.string(), file: OverlayFile });
export type Probe = z.infer<typeof Probe>;

/** A whole solution kept for review, with what its author claims of it. */
export const Variant = z.strictObject({
  id: z.string(),
  claim: z.enum(['valid', 'wrong']),
  tree: Digest,
  by: Provenance,
});
export type Variant = z.infer<typeof Variant>;

/** What is to be done and what may be edited; pinned to no environment. Trees are manifest digests. */
export const Task = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/),
  revision: z.number().int().nonnegative(),
  mode: z.enum(['history', 'forward']),
  source: z.string(),
  seeds: z.array(z.string()).min(1),
  statement: z.string().min(1),
  requirements: z.array(Requirement).min(1),
  couplings: z.array(Coupling),
  /** `commitTree` is the tree of `commit` as it stands in the source; `tree` is what a solver starts from. */
  base: z.strictObject({
    commit: z.string(),
    commitTree: Digest,
    tree: Digest,
    createdAt: z.string(),
  }),
  gold: z.array(GoldPart).min(1),
  tests: z.strictObject({
    overlay: z.array(OverlayFile).min(1),
    /** Files whose tests may become FAIL_TO_PASS, sorted. */
    files: z.array(z.string()).min(1),
    /** Other files that guard against regressions, sorted. */
    regression: z.array(z.string()),
    /** Test id to clause ids, where the draft says so; others follow their group. */
    traces: z.array(z.strictObject({ test: z.string(), clauses: z.array(z.string()) })),
  }),
  environment: EnvironmentSpec,
  contract: Contract,
  solos: z.array(Solo),
  probes: z.array(Probe),
  variants: z.array(Variant),
});
export type Task = z.infer<typeof Task>;
