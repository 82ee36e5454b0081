import { z } from 'zod';
import { Completion } from './completion.ts';
import { ContractBuild, StatementVerdict } from './contract-build.ts';
import { ContractReport } from './contract-report.ts';
import { Digest } from './digest.ts';
import { FaultCode } from './fault-code.ts';
import { Outcome } from './outcome.ts';
import { ModelConfig } from './run-config.ts';

/** One line of the table of conditions (CAPRI, Table 1; S0 and S1 are ours). */
export const Condition = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/),
  interface: z.enum(['edits', 'body', 'shell']),
  attempts: z.number().int().min(1).max(16),
  /** Whether the first request shows what the baseline's build said. */
  diagnosticFirst: z.boolean(),
  order: z.enum(['contract-first', 'measure']),
});
export type Condition = z.infer<typeof Condition>;

export const Comparison = z.strictObject({
  a: z.string(),
  b: z.string(),
  /** `block`: one instance and replicate; `instance`: valid counts of one instance, exploratory. */
  unit: z.enum(['block', 'instance']),
  side: z.enum(['one', 'two']),
  label: z.string().optional(),
});
export type Comparison = z.infer<typeof Comparison>;

export const Recovery = z.strictObject({
  on: z.array(z.enum(['model-transport', 'model-timeout', 'sandbox-lost', 'host-io'])),
  times: z.number().int().min(0).max(10),
  /** Seconds before each retry; the last one repeats. */
  wait_s: z.array(z.number().nonnegative()).min(1),
});
export type Recovery = z.infer<typeof Recovery>;

/** What an experiment is, written before the first answer. Paths are relative to the plan's folder. */
export const ExperimentPlan = z.strictObject({
  experiment: z.literal(1),
  id: z.string().regex(/^[a-z0-9-]{1,64}$/),
  instances: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9-]{1,64}$/),
        /** Folder of the instance: contract.yaml, base/, reference.json. */
        path: z.string(),
        stratum: z.enum(['historical', 'controlled']),
        difficulty: z.enum(['local', 'intermediate', 'structural']),
      }),
    )
    .min(1),
  replicates: z.number().int().min(1).max(100),
  conditions: z.array(z.union([z.string(), Condition])).min(1),
  /** The models, as a run file names them. */
  entrants: z.array(ModelConfig).min(1),
  recovery: Recovery,
  comparisons: z.array(Comparison).default([]),
  budget: z
    .strictObject({
      usd: z.number().nonnegative().nullable().default(25),
      calls: z.number().int().nonnegative().nullable().default(2000),
    })
    .default({ usd: 25, calls: 2000 }),
  /** Seed of the schedule's order. */
  seed: z.number().int().nonnegative().default(0),
});
export type ExperimentPlan = z.infer<typeof ExperimentPlan>;

export const AttemptClass = z.enum([
  'valid-success',
  'false-success',
  'failure',
  'violation',
  'invalid',
]);
export type AttemptClass = z.infer<typeof AttemptClass>;

const Cell = z.strictObject({
  instance: z.string(),
  entrant: z.string(),
  condition: z.string(),
  replicate: z.number().int().nonnegative(),
});

/** What was fixed before the first answer, by digest; a run refuses when one of them is another. */
export const Frozen = z.strictObject({
  frozen: z.literal(1),
  experiment: z.string(),
  plan: Digest,
  conditions: z.array(Condition),
  prompts: z.record(z.string(), Digest),
  schedule: z.array(Cell),
  instances: z.array(
    z.strictObject({
      id: z.string(),
      contract: Digest,
      authority: Digest,
      base: Digest,
      reference: Digest,
      /** Normalised output of the base's own build, which some conditions show first. */
      baseline: z.string(),
      controls: z.array(z.strictObject({ name: z.string(), expected: Outcome, outcome: Outcome })),
    }),
  ),
});
export type Frozen = z.infer<typeof Frozen>;

/** One counted attempt, with everything a replay needs by blob. `completion` without its text, which is the proposal's blob. */
export const AttemptRecord = z.strictObject({
  attempt: z.number().int().positive(),
  request: Digest,
  promptSha256: Digest,
  completion: Completion.omit({ text: true }).nullable(),
  /** Calls that the frozen recovery rule repeated; they are no attempts. */
  retries: z.array(z.strictObject({ fault: z.string(), detail: z.string() })),
  /** The raw reply, or the shell's transcript. */
  proposal: Digest.nullable(),
  /** A `proposal.*` code with its detail when the reply made no candidate. */
  proposalReason: z.string().nullable(),
  candidate: Digest.nullable(),
  /** Paths that the shell interface dropped at collection. */
  discarded: z.array(z.string()),
  report: ContractReport.nullable(),
  statement: StatementVerdict.nullable(),
  build: ContractBuild,
  class: AttemptClass,
});
export type AttemptRecord = z.infer<typeof AttemptRecord>;

/** One rollout of the schedule. `outcome` is null exactly when a fault left it incomplete: never zero, never a class. */
export const RolloutRecord = z.strictObject({
  rollout: z.string(),
  instance: z.string(),
  stratum: z.string(),
  difficulty: z.string(),
  entrant: z.string(),
  condition: z.string(),
  replicate: z.number().int().nonnegative(),
  plan: Digest,
  contract: Digest,
  authority: Digest,
  base: Digest,
  outcome: Outcome.nullable(),
  attemptsCounted: z.number().int().nonnegative(),
  anyViolation: z.boolean(),
  anyInvalid: z.boolean(),
  firstViolationAttempt: z.number().int().positive().nullable(),
  incompleteFault: z.strictObject({ code: FaultCode, detail: z.string() }).nullable(),
  attempts: z.array(AttemptRecord),
});
export type RolloutRecord = z.infer<typeof RolloutRecord>;
