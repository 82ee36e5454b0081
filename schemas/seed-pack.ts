import { z } from 'zod';
import { Coupling } from './coupling.ts';
import { Digest } from './digest.ts';
import { EnvironmentSpec } from './environment.ts';
import { Requirement } from './requirement.ts';

/** Whose recorded answers a pack carries, by role. */
const Panel = z.strictObject({
  solvers: z.array(z.string()),
  solo_solvers: z.array(z.string()),
  reviewer: z.string().nullable(),
  repairer: z.string().nullable(),
});

/** `pack.json`: a self-contained source that a demo, a test and a bug report run from offline. Paths are relative to the pack. */
export const SeedPack = z.strictObject({
  pack: z.literal(1),
  name: z.string().regex(/^[a-z0-9-]{1,40}$/),
  title: z.string(),
  licence: z.string(),
  /** A git fast-export stream with fixed dates. */
  history: z.string(),
  threads: z.string(),
  environment: EnvironmentSpec,
  /** Folders that hold a `draft.yaml` each. */
  drafts: z.array(z.string()).default([]),
  /** Folder of recorded answers, null while there are none. */
  recordings: z.string().nullable().default(null),
  panel: Panel.default({ solvers: [], solo_solvers: [], reviewer: null, repairer: null }),
  /** How much of the history the demo weaves. */
  demo: z
    .strictObject({
      batch: z.number().int().positive(),
      mutants_per_part: z.number().int(),
      /** Recorded reviews count the mutants they were shown, so a pack stays with the operators of its day. */
      mutant_operators: z.enum(['core', 'all']).default('core'),
    })
    .default({ batch: 4, mutants_per_part: 6, mutant_operators: 'core' }),
});
export type SeedPack = z.infer<typeof SeedPack>;

const Quoted = z.strictObject({
  thread: z.number().int().positive(),
  comment: z.number().int().positive().optional(),
  quote: z.string().min(1),
});

/** `draft.yaml` of a pack: a forward draft written for it. Folders hold whole files; each part lies on top of the parts before it. */
export const DraftFile = z.strictObject({
  draft: z.literal(1),
  id: z.string().regex(/^[a-z0-9-]{1,48}$/),
  /** Commit-ish of the pack's history; the newest commit by default. */
  base: z.string().default('HEAD'),
  /** Numbers of the threads whose seeds this draft extends. */
  threads: z.array(z.number().int().positive()).min(1),
  requirements: z
    .array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        interface: z.array(z.string()).default([]),
        clauses: z
          .array(z.strictObject({ id: z.string(), text: z.string(), quotes: z.array(Quoted) }))
          .min(1),
      }),
    )
    .min(1),
  couplings: z.array(Coupling).default([]),
  parts: z
    .array(
      z.strictObject({
        id: z.string(),
        needs: z.array(z.string()).min(1),
        dir: z.string(),
        delete: z.array(z.string()).default([]),
      }),
    )
    .min(1),
  tests: z.strictObject({
    dir: z.string(),
    traces: z.record(z.string(), z.array(z.string())).default({}),
  }),
  /** Solutions of one requirement on the base alone, written for the pack. */
  solos: z.array(z.strictObject({ requirement: z.string(), dir: z.string() })).default([]),
  /** Private checks of one clause: one test file each, laid at `path` when it runs. */
  probes: z
    .array(
      z.strictObject({ id: z.string(), clause: z.string(), file: z.string(), path: z.string() }),
    )
    .default([]),
  /** Whole solutions on the base, with what is claimed of them. */
  variants: z
    .array(z.strictObject({ id: z.string(), claim: z.enum(['valid', 'wrong']), dir: z.string() }))
    .default([]),
  /** Regions for the `body` interface, by markers that stand in the base file; absent: whole files. */
  regions: z
    .array(z.strictObject({ file: z.string(), start: z.string(), end: z.string() }))
    .default([]),
});
export type DraftFile = z.infer<typeof DraftFile>;

const Files = z.array(z.strictObject({ path: z.string(), sha256: Digest }));

/** A draft of a pack as the stages get it: bytes are in the ledger, named by digest. */
export const AuthoredDraft = z.strictObject({
  id: z.string(),
  base: z.string(),
  requirements: z.array(Requirement.partial({ seeds: true })),
  couplings: z.array(Coupling),
  parts: z.array(
    z.strictObject({
      id: z.string(),
      needs: z.array(z.string()),
      files: Files,
      delete: z.array(z.string()),
    }),
  ),
  tests: z.strictObject({
    files: Files,
    traces: z.array(z.strictObject({ test: z.string(), clauses: z.array(z.string()) })),
  }),
  solos: z.array(z.strictObject({ requirement: z.string(), files: Files })),
  probes: z.array(
    z.strictObject({ id: z.string(), clause: z.string(), path: z.string(), sha256: Digest }),
  ),
  variants: z.array(
    z.strictObject({ id: z.string(), claim: z.enum(['valid', 'wrong']), files: Files }),
  ),
  regions: z.array(z.strictObject({ file: z.string(), start: z.string(), end: z.string() })),
});
export type AuthoredDraft = z.infer<typeof AuthoredDraft>;
