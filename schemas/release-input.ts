import { z } from 'zod';
import { Role } from './completion.ts';
import { Digest } from './digest.ts';
import { EnvironmentSpec } from './environment.ts';
import { Instance } from './instance.ts';
import { Kept } from './kept.ts';
import { Rollout } from './rollout.ts';
import { Source } from './source.ts';
import { Task } from './task.ts';
import { Usage } from './usage.ts';
import { Candidate, Verdict } from './verdict.ts';

/** A patch as git wrote it, byte-exact: text where its bytes are UTF-8, else base64. CR stays CR. */
export const PatchBytes = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ base64: z.string() }),
]);
export type PatchBytes = z.infer<typeof PatchBytes>;

/** One model call that stands behind a rollout or the task itself, found by its request. Unknown is null, never 0. */
const Call = z.strictObject({
  request: Digest,
  role: Role,
  entrant: z.string(),
  model: z.string().nullable(),
  usage: Usage,
  costMicroUsd: z.number().int().nonnegative().nullable(),
});

/** The facts of one accepted record, as a release needs them. Patches are made by git before; nothing here is computed again. */
export const ReleaseFacts = z.strictObject({
  task: Task,
  instance: Instance,
  environment: z.strictObject({
    spec: EnvironmentSpec,
    digest: Digest,
    tools: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  }),
  source: Source,
  rollouts: z.array(Rollout),
  verdicts: z.array(Verdict),
  kept: Kept,
  /** Rows of the review matrix; empty where review did not run. */
  candidates: z.array(Candidate).default([]),
  calls: z.array(Call).default([]),
  patches: z.strictObject({
    /** From the base tree to the gold tree. */
    gold: PatchBytes,
    /** From the base tree to the base tree with the hidden tests laid over it. */
    test: PatchBytes,
    /** From the source commit's tree to the base tree; null where the two are equal. */
    base: PatchBytes.nullable(),
    parts: z.array(
      z.strictObject({ id: z.string(), needs: z.array(z.string()), text: z.string() }),
    ),
  }),
});
export type ReleaseFacts = z.infer<typeof ReleaseFacts>;

/**
 * What an exporter gets for one accepted record. `read` returns the stored bytes of a digest (tree manifests, files, hidden tests)
 * and throws a Fault where they are missing or damaged.
 */
export type ReleaseInput = ReleaseFacts & { readonly read: (sha256: string) => Uint8Array };
