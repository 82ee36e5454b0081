import { z } from 'zod';

const PrefixedDigest = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** Languages that the checker knows; `none` has neither lexer nor parser and must ask for `frame: []`. */
export const ProfileName = z.enum([
  'typescript',
  'python',
  'isabelle',
  'rocq',
  'lean4',
  'go',
  'rust',
  'java',
  'kotlin',
  'c',
  'none',
]);
export type ProfileName = z.infer<typeof ProfileName>;

export const RegionKind = z.enum(['statements', 'members', 'proof-body', 'proof-script', 'any']);
export type RegionKind = z.infer<typeof RegionKind>;

const Region = z.union([
  z.strictObject({ start: z.string(), end: z.string() }),
  z.strictObject({
    bytes: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]),
    prefix: PrefixedDigest,
    suffix: PrefixedDigest,
  }),
]);

/** Overrides of the text policy: what is not named here stays refused. */
const TextPolicy = z.strictObject({
  encoding: z.literal('allow').optional(),
  bom: z.literal('allow').optional(),
  newline: z.literal('allow').optional(),
  'final-newline': z.literal('allow').optional(),
  control: z.literal('allow').optional(),
  bidi: z.literal('allow').optional(),
  invisible: z.literal('allow').optional(),
  cookie: z.literal('allow').optional(),
  line: z.literal('allow').optional(),
});

const Editable = z
  .strictObject({
    id: z.string().min(1).optional(),
    file: z.string().min(1),
    /** By the file's extension when absent. */
    profile: ProfileName.optional(),
    region: Region.optional(),
    whole_file: z.literal(true).optional(),
    max_bytes: z.number().int().positive().default(65536),
    text: TextPolicy.optional(),
    /** All frames that the profile has when absent. */
    frame: z.array(z.enum(['lexical', 'syntactic'])).optional(),
    region_kind: RegionKind.optional(),
  })
  .refine((entry) => (entry.region === undefined) !== (entry.whole_file === undefined), {
    message: 'expected either region or whole_file: true',
  });

const Declaration = z.strictObject({
  profile: ProfileName.optional(),
  file: z.string().min(1),
  kind: z.string().min(1),
  name: z.string().min(1),
});

const Command = z.strictObject({
  argv: z.array(z.string().min(1)).min(1),
  timeout_s: z.number().positive().max(86400).default(300),
});

const Expect = z.strictObject({
  fail_to_pass: z.array(z.string()).optional(),
  /** Ids that must pass too, or every id that passed on the baseline. */
  pass_to_pass: z.union([z.literal('all-baseline'), z.array(z.string())]).optional(),
  skipped: z.literal('same').optional(),
  total: z.literal('same').optional(),
  baseline: PrefixedDigest.optional(),
  flaky: z.array(z.string()).optional(),
  /** Provers: files or theories that this run must have built from source. */
  targets: z.array(z.string()).optional(),
  theories: z.array(z.string()).optional(),
});

const RunExpect = z.strictObject({
  all: z.literal('passed').optional(),
  failed: z.array(z.string()).optional(),
  passed: z.array(z.string()).optional(),
  some_failed: z.literal(true).optional(),
  total: z.literal('same').optional(),
  skipped: z.literal('same').optional(),
});

/** B_C: how a candidate is built. It takes no part in Conforms. */
const PinnedBuild = z.strictObject({
  image: PrefixedDigest.optional(),
  /** A prover's exact version, as its own binary prints it. */
  tool: z.string().optional(),
  tree: z.enum(['ro', 'rw']).default('ro'),
  workdir: z.string().default('/testbed'),
  writable: z
    .array(z.strictObject({ path: z.string().min(1), shared: z.boolean().default(false) }))
    .default([]),
  mounts: z
    .array(z.strictObject({ path: z.string().min(1), manifest: PrefixedDigest }))
    .default([]),
  overlay: z.array(z.strictObject({ path: z.string().min(1), sha256: PrefixedDigest })).default([]),
  env: z.record(z.string(), z.string()).default({}),
  network: z.literal('none'),
  resources: z
    .strictObject({
      memory_mb: z.number().int().positive().optional(),
      cpus: z.number().positive().optional(),
      pids: z.number().int().positive().optional(),
    })
    .optional(),
  commands: z.array(Command).min(1),
  report: z
    .strictObject({
      kind: z.enum(['node-test', 'vitest', 'unittest', 'pytest']),
      channel: z.enum(['stream', 'split', 'file']).default('stream'),
    })
    .optional(),
  expect: Expect.default({}),
  runs: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        apply: z.array(PrefixedDigest).optional(),
        each: z.array(PrefixedDigest).optional(),
        expect: RunExpect,
      }),
    )
    .default([]),
  post_hash: z.literal(true).default(true),
});
export type PinnedBuild = z.infer<typeof PinnedBuild>;

const Semantic = z.strictObject({
  rocq: z
    .strictObject({
      axioms_allowed: z.array(z.string()).default([]),
      statement: z.literal('frozen').default('frozen'),
      recheck: z.enum(['coqchk', 'rocqchk']),
    })
    .optional(),
  isabelle: z
    .strictObject({
      oracles: z.array(z.string()).default([]),
      statement: z.literal('frozen').default('frozen'),
    })
    .optional(),
});

/**
 * The edit contract, version 1: what may change (E_C), which declaration must survive (t_C), what is forbidden (F_C) and how a
 * candidate is built (B_C). Everything that is not named is protected. Field names as in the contract files (docs/contracts.md).
 */
export const Contract = z.strictObject({
  contract: z.literal(1),
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  base: z.strictObject({
    manifest: PrefixedDigest,
    exclude_dirs: z.array(z.string().min(1)).optional(),
    discard: z.array(z.string().min(1)).optional(),
  }),
  target: z.strictObject({ declarations: z.array(Declaration).min(1) }).optional(),
  editable: z.array(Editable).default([]),
  create: z
    .array(
      z.strictObject({
        glob: z.string().min(1),
        max_files: z.number().int().positive().default(2),
        max_bytes: z.number().int().positive().default(32768),
      }),
    )
    .default([]),
  delete: z.array(z.string().min(1)).default([]),
  override: z
    .array(
      z.strictObject({
        path: z.string().min(1),
        reason: z.string().min(1),
        approved_by: z.string().min(1),
      }),
    )
    .default([]),
  forbidden: z
    .strictObject({
      packs: z.array(z.string()).default([]),
      /** Extra literal token sequences, tokens separated by blanks. */
      constructs: z.array(z.string().min(1)).optional(),
      baseline: z.enum(['tolerate', 'reject']).default('tolerate'),
      scope: z.enum(['region', 'file', 'tree']).default('file'),
      /** Rules that are lifted, written `pack#rule` or `pack`, each with its reason. */
      allow: z
        .array(z.strictObject({ rule: z.string().min(1), reason: z.string().min(1) }))
        .optional(),
    })
    .default({ packs: [], baseline: 'tolerate', scope: 'file' }),
  /** B_C of an instance; `unpinned` or absent in a task. No part of the edit authority. */
  build: z.union([z.literal('unpinned'), PinnedBuild]).optional(),
  semantic: Semantic.optional(),
  interface: z.enum(['body', 'edits', 'shell']).default('body'),
  order: z.enum(['contract-first', 'measure']).default('contract-first'),
  limits: z
    .strictObject({
      attempts: z.number().int().min(1).max(16).default(1),
      candidate_bytes: z.number().int().positive().default(33554432),
      wall_s: z.number().positive().optional(),
      tokens: z.number().int().positive().optional(),
    })
    .default({ attempts: 1, candidate_bytes: 33554432 }),
  visible: z
    .strictObject({
      include: z.array(z.string()).default(['**']),
      exclude: z.array(z.string()).default([]),
      /** `ids` when hidden tests are laid over the tree, else `full`, when absent. */
      diagnostic: z.enum(['full', 'ids', 'none']).optional(),
    })
    .default({ include: ['**'], exclude: [] }),
});
export type Contract = z.infer<typeof Contract>;
