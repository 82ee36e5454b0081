import { z } from 'zod';

/** Every reason why a seed, a draft, a task or an export is refused. The list is closed. */
export const RejectionCode = z.enum([
  'no-source-change',
  'no-test-change',
  'no-statement',
  'statement-leaky',
  'too-large',
  'bot-author',
  'merge-without-change',
  'revert',
  'binary-only',
  'unsupported-language',
  'too-few-seeds',
  'not-one-line',
  'base-conflict',
  'draft-invalid',
  'statement-leak',
  'statement-silent',
  'env-build-failed',
  'noop-passes',
  'noop-blocked-only',
  'gold-fails',
  'flaky',
  'not-coupled',
  'untraceable',
  'contract-unfit',
  'duplicate',
  'excluded',
  'revisions-exhausted',
  'rounds-exhausted',
  'weakening-only',
  'licence-missing',
  'misaligned-open',
  'image-unpinned',
  'contract-needs-grammar',
  'no-fail-to-pass',
  'id-illegal',
  'gold-not-valid',
  'grader-too-large',
  'instruction-starts-like-canary',
  'patch-not-text',
  'tree-unportable',
]);
export type RejectionCode = z.infer<typeof RejectionCode>;

/** Why something is no good: data, counted in the funnel. `detail` is one line; `evidence` names blobs and ids. */
export const Rejection = z.strictObject({
  code: RejectionCode,
  detail: z.string(),
  evidence: z.array(z.string()).default([]),
});
export type Rejection = z.infer<typeof Rejection>;
