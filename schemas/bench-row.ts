import { z } from 'zod';
import { CouplingKind } from './coupling.ts';
import { Digest } from './digest.ts';
import { CellVerdict } from './instance.ts';

const Count = z.number().int().nonnegative();
const Text = z.string();

const RowRequirement = z.strictObject({
  id: Text,
  text: Text,
  clauses: z.array(z.strictObject({ id: Text, text: Text })),
  seeds: z.array(
    z.strictObject({ seed_id: Text, quote: Text, url: Text.nullable(), sha256: Digest }),
  ),
  gold_patch: Text,
  gold_sha256: Digest,
});

const RowCoupling = z.strictObject({
  id: Text,
  from: Text,
  to: Text,
  directed: z.boolean(),
  kind: CouplingKind,
  /** The level that execution proved, not the one that was declared. */
  level: z.number().int().min(0).max(4),
  text: Text,
  evidence: z.array(Text),
  tests: z.array(Text),
  proof_sha256: Digest,
});

const RowGroup = z.strictObject({
  name: Text,
  kind: z.enum(['requirement', 'edge', 'regression', 'contract']),
  /** The key of this group in `reward.json`. */
  reward_key: Text,
  refs: z.array(Text),
  fail_to_pass: z.array(Text),
  pass_to_pass: z.array(Text),
});

const RowAlignment = z.strictObject({
  mode: z.enum(['none', 'keyless', 'assisted']),
  aligned: Count,
  false_positive: Count,
  false_negative: Count,
  suspect: Count,
  repaired: Count,
  verdicts: z.array(
    z.strictObject({
      verdict_id: Text,
      verdict: z.enum(['false-positive', 'false-negative', 'suspect', 'aligned']),
      /** `open` in this revision, or `answered` by an accepted repair. */
      state: z.enum(['open', 'answered']),
      side: z.enum(['FP', 'FN', 'SPEC']),
      kind: Text,
      clause_id: Text.nullable(),
      test_id: Text.nullable(),
      witness_sha256: Digest.nullable(),
    }),
  ),
  /** Over the review matrix; all null where there was none. */
  residual: z.strictObject({
    wrong_accepted: Count.nullable(),
    wrong_families: Count.nullable(),
    valid_rejected: Count.nullable(),
    valid_families: Count.nullable(),
    beta_upper: z.number().nullable(),
  }),
  reruns: Count.nullable(),
});

const RowPanel = z
  .strictObject({
    family: Text,
    model: Text,
    condition: Text,
    rollouts: Count,
    valid_success: Count,
    false_success: Count,
    safe_failure: Count,
    rejected_violation: Count,
    invalid_candidate: Count,
    incomplete: Count,
    requests: Count,
    tokens: Count.nullable(),
    cost_usd: z.number().nonnegative().nullable(),
    cost_complete: z.boolean(),
  })
  .refine(
    (row) =>
      row.rollouts ===
      row.valid_success +
        row.false_success +
        row.safe_failure +
        row.rejected_violation +
        row.invalid_candidate +
        row.incomplete,
    { message: 'expected the five classes and `incomplete` to sum to `rollouts`' },
  );

const RowProvenance = z.strictObject({
  source_url: Text.nullable(),
  source_commit: Text,
  stratum: z.enum(['historical', 'controlled']),
  threads: z.array(
    z.strictObject({ doc: Text, url: Text.nullable(), kind: Text, sha256: Digest.nullable() }),
  ),
  generator: Text,
  generator_version: Text,
  protocol_sha256: Digest.nullable(),
  models: z.array(z.strictObject({ role: Text, model: Text })),
  seeds: z.array(Text),
});

/**
 * One line of `data/<split>.jsonl`, a superset of the classic columns. Column names are the format's, not ours.
 * An absent number is null, never 0; a column is never left out, so all rows and splits have the same columns.
 */
export const BenchRow = z.strictObject({
  schema: z.literal('csw-bench/1'),
  instance_id: Text.regex(/^[A-Za-z0-9_.-]+$/),
  task_id: Text,
  revision: Count,
  repo: Text,
  version: Text,
  base_commit: Text,
  environment_setup_commit: Text,
  created_at: Text,
  problem_statement: Text.min(1),
  hints_text: Text,
  patch: Text,
  test_patch: Text,
  /** Ours: takes the tree of `base_commit` to the task's base; empty where the two are equal. */
  base_patch: Text,
  FAIL_TO_PASS: z.array(Text).min(1),
  PASS_TO_PASS: z.array(Text).min(1),
  /** null where no image was pinned. */
  image: Text.nullable(),
  image_name: Text.nullable(),
  eval_script: Text,
  log_parser: z.literal('parse_log_jest_json'),
  eval_type: z.literal('pass_and_fail'),
  language: Text,
  install_config: z.strictObject({ test_cmd: Text, log_parser: Text }),
  requirements: z.array(RowRequirement).min(1),
  couplings: z.array(RowCoupling),
  matrix: z.array(
    z.strictObject({
      applied: z.array(Text),
      group: Text,
      verdict: CellVerdict,
      passed: Count,
      total: Count,
      runs: Count,
    }),
  ),
  test_groups: z.array(RowGroup).min(1),
  contract: z.strictObject({
    yaml: Text,
    contract_sha256: Digest,
    authority_sha256: Digest,
    base_manifest: Text,
    lock_sha256: Digest,
    level: Text,
    interface: z.enum(['body', 'edits', 'shell']),
  }),
  alignment: RowAlignment,
  panel: z.array(RowPanel),
  environment: z.strictObject({
    image_digest: Text.nullable(),
    verifier_image_digest: Text.nullable(),
    platform: Text,
    runtime: Text,
    environment_sha256: Digest,
    dockerfile_sha256: Digest,
    env: z.array(z.strictObject({ name: Text, value: Text })),
    network: z.literal('none'),
  }),
  provenance: RowProvenance,
  /** SPDX identifier, or null where the source has none and the export was allowed all the same. */
  license: Text.nullable(),
  license_files: z.array(Text),
  split: z.enum(['train', 'test']),
  split_key: Text,
  canary: Text.nullable(),
  withheld: z.array(z.strictObject({ column: Text, sha256: Digest })),
  audit: z.strictObject({
    content_sha256: Digest,
    grader_sha256: Digest,
    gold_tree_sha256: Digest,
    ledger_head: Text.nullable(),
    audit_jsonl_sha256: Digest,
    evidence: z.array(z.strictObject({ name: Text, sha256: Digest })),
  }),
  lineage: z.array(
    z.strictObject({
      revision: Count,
      parent_sha256: Digest.nullable(),
      content_sha256: Digest,
      cause: Text,
      edited: z.array(Text),
      verdict_ids: z.array(Text),
    }),
  ),
});
export type BenchRow = z.infer<typeof BenchRow>;
