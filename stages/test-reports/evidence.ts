import { z } from 'zod';
import { Runner } from '../../schemas/environment.ts';
import type { TestReport } from '../../schemas/test-report.ts';
import type { RunStatus, TestRunResult } from '../../schemas/test-run.ts';
import { parsers } from './registry.ts';
import { type RunEnd, runStatus } from './run-status.ts';

const LINE_FEED = 10;
const Header = z.strictObject({
  evidence: z.literal(1),
  runner: Runner,
  nonce: z.string(),
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
});
type Header = z.infer<typeof Header>;

/** What is kept of a run: a header line with all that judging needs, then the report's own bytes. */
export type Evidence = RunEnd & {
  readonly runner: Runner;
  readonly nonce: string;
  readonly bytes: Uint8Array;
};

/** The blob of an evidence. */
export function packEvidence({ bytes, runner, nonce, code, signal, timedOut }: Evidence) {
  const header: Header = { evidence: 1, runner, nonce, code, signal, timedOut };
  const head = new TextEncoder().encode(`${JSON.stringify(header)}\n`);
  const blob = new Uint8Array(head.length + bytes.length);
  blob.set(head);
  blob.set(bytes, head.length);
  return blob;
}

function unpackEvidence(blob: Uint8Array): Evidence {
  const end = blob.indexOf(LINE_FEED);
  const header = Header.parse(JSON.parse(new TextDecoder().decode(blob.subarray(0, end))));
  return { ...header, bytes: blob.subarray(end + 1) };
}

type Judged = { readonly status: RunStatus; readonly report: TestReport };

/** Status and report of a run, from its evidence alone. */
export function judge({ runner, nonce, bytes, ...end }: Evidence): Judged {
  const report = parsers[runner].parse(bytes, nonce);
  const status = runStatus(end, report, bytes.length > 0);
  return { status, report: report ?? { runner, complete: false, results: [] } };
}

/**
 * A stored result with all that can be read again from its evidence; differs from the stored one only if that was not true.
 * Throws what the ledger throws for a blob that is gone or damaged, and ZodError for one that is no evidence.
 */
export function reparse(
  result: TestRunResult,
  ledger: { get(sha256: string): Uint8Array },
): TestRunResult {
  if (result.reportBlob !== null) {
    const evidence = unpackEvidence(ledger.get(result.reportBlob));
    return { ...result, exitCode: evidence.code, signal: evidence.signal, ...judge(evidence) };
  }
  const status = result.status === 'timed-out' ? 'timed-out' : 'no-report';
  return { ...result, status, report: { ...result.report, complete: false, results: [] } };
}
