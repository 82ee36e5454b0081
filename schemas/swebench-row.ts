import { z } from 'zod';

/** One line of `swebench/data.jsonl`: the columns that the harness of SWE-bench 5 reads, by its own names. */
export const SwebenchRow = z.strictObject({
  instance_id: z.string().regex(/^[a-z0-9._-]+$/),
  repo: z.string(),
  version: z.string(),
  base_commit: z.string(),
  environment_setup_commit: z.string(),
  created_at: z.string(),
  problem_statement: z.string().min(1),
  hints_text: z.string(),
  patch: z.string(),
  test_patch: z.string(),
  /** Ours, not read by the harness: takes the tree of `base_commit` to the task's base. */
  base_patch: z.string(),
  FAIL_TO_PASS: z.array(z.string()).min(1),
  PASS_TO_PASS: z.array(z.string()).min(1),
  /** null where no image was pinned; `image_unpinned` says the same in a word that is hard to overlook. */
  image: z.string().nullable(),
  image_unpinned: z.boolean(),
  eval_script: z.string().startsWith('#!/bin/bash\n'),
  log_parser: z.literal('parse_log_jest_json'),
  eval_type: z.literal('pass_and_fail'),
  language: z.string(),
  schema: z.literal('csw-bench/1'),
  license: z.string().nullable(),
  split: z.enum(['train', 'test']),
});
export type SwebenchRow = z.infer<typeof SwebenchRow>;
