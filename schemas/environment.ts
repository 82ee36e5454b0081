import { z } from 'zod';
import { Digest } from './digest.ts';

export const Runner = z.enum([
  'node-test',
  'vitest',
  'jest',
  'mocha',
  'ava',
  'unittest',
  'pytest',
  'go-test',
  'cargo-test',
  'maven-surefire',
]);
export type Runner = z.infer<typeof Runner>;

/**
 * The user's `environment.json`, or what a recipe finds. Paths are relative to the tree's root.
 * `install`: argument vectors run once, with network, in a copy of the tree; `{deps}` stands for the folder that is kept.
 * `{deps}` is mounted read-only beside the tree in every later run, so `{deps}/node_modules` is found by Node's own lookup.
 * `{workdir}` stands for the tree's root. `paths` are put before PATH.
 */
export const EnvironmentSpec = z.strictObject({
  environment: z.literal(1),
  language: z.enum(['typescript', 'javascript', 'python', 'go', 'rust', 'java']),
  runner: Runner,
  /** Globs of test files; everything else that is code counts as source. */
  testFiles: z.array(z.string()).min(1),
  sourceFiles: z.array(z.string()).min(1),
  install: z.array(z.array(z.string()).min(1)).default([]),
  env: z.record(z.string(), z.string()).default({}),
  paths: z.array(z.string()).default([]),
  /** Extra arguments for the runner. */
  args: z.array(z.string()).default([]),
  /** node:test only: all test files in one process instead of one each. Quicker, for files that do not disturb each other. */
  together: z.boolean().default(false),
  /** Folder below the tree's root where the runner starts; the root itself where it is absent. Ids keep the path from the root. */
  workdir: z
    .string()
    .regex(/^(?!\/)(?!.*(^|\/)\.{1,2}(\/|$))(?!.*\/$).+$/, 'a path below the root, without dots')
    .optional(),
  timeoutS: z.number().positive().max(3600).default(60),
  /** Name of a container image to use with docker; the project's base image by default. */
  image: z.string().nullable().default(null),
});
export type EnvironmentSpec = z.infer<typeof EnvironmentSpec>;

/**
 * A spec made ready in one sandbox. `digest` names what was installed: equal digests, equal environment.
 * `handle` is the adapter's own word for it (a folder, an image id) and enters neither request nor release.
 */
export const Environment = z.strictObject({
  spec: EnvironmentSpec,
  sandbox: z.enum(['process', 'bwrap', 'docker']),
  digest: Digest,
  /** Versions that the tools printed of themselves, sorted by name. */
  tools: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  handle: z.string(),
  /** Lists of exact versions that the installation made itself, as blobs; their bytes are part of `digest`. Absent where there are none. */
  frozen: z.array(z.strictObject({ path: z.string(), sha256: Digest })).optional(),
});
export type Environment = z.infer<typeof Environment>;
