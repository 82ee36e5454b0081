import { z } from 'zod';
import { Runner } from '../../schemas/environment.ts';
import type { TestReport } from '../../schemas/test-report.ts';
import type { RunStatus, TestRunResult } from '../../schemas/test-run.ts';
import { parsers } from './registry.ts';
import { hasFailures, type RunEnd, runStatus } from './run-status.ts';
import {
  filesWithout,
  type Sentinels as Placed,
  readSentinels,
  withoutSentinels,
} from './sentinels.ts';

const LINE_FEED = 10;
/** The names that one run gave to its sentinels, and by file how many pairs stand behind it. */
const Sentinels = z.strictObject({
  good: z.string().min(1),
  bad: z.string().min(1),
  files: z
    .array(z.strictObject({ path: z.string(), kinds: z.number().int().positive() }))
    .readonly(),
});
const Header = z.strictObject({
  evidence: z.literal(1),
  runner: Runner,
  nonce: z.string(),
  code: z.number().int().nullable(),
  signal: z.string().nullable(),
  timedOut: z.boolean(),
  outOf: z.literal('memory').optional(),
  sentinels: Sentinels.optional(),
});
type Header = z.infer<typeof Header>;

/** What is kept of a run: a header line with all that judging needs, then the report's own bytes. */
export type Evidence = RunEnd & {
  readonly runner: Runner;
  readonly nonce: string;
  readonly bytes: Uint8Array;
  readonly sentinels?: z.infer<typeof Sentinels> | undefined;
};

/** The blob of an evidence. */
export function packEvidence(evidence: Evidence) {
  const { bytes, runner, nonce, code, signal, timedOut, outOf, sentinels } = evidence;
  const header: Header = { evidence: 1, runner, nonce, code, signal, timedOut, outOf, sentinels };
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

type Judged = Pick<TestRunResult, 'exitCode' | 'signal' | 'report' | 'tampered'> & {
  readonly status: RunStatus;
};

/**
 * The exit code that the run would have had without its sentinels, one of which always fails. null: a code that no honest run
 * with such a failure has.
 */
function netCode(code: number | null, hasBad: boolean, net: TestReport): number | null {
  if (!hasBad || code === null) return code;
  if (code === 0) return null;
  return code === 1 && !hasFailures(net) ? 0 : code;
}

/** vitest calls a file without tests an error; the sentinels would hide that. */
function netReport(report: TestReport, sentinels: Placed): TestReport {
  const results = [...withoutSentinels(report.results, sentinels)];
  if (report.runner !== 'vitest') return { ...report, results };
  const empty = filesWithout(report.results, sentinels).map((file) => ({
    id: file,
    file,
    line: null,
    status: 'error' as const,
    message: `No test suite found in file ${file}`,
  }));
  const byId = ({ id: a }: { id: string }, { id: b }: { id: string }) => (a < b ? -1 : 1);
  return { ...report, results: [...results, ...empty].toSorted(byId) };
}

function judgeReport(report: TestReport, { sentinels, bytes: _, ...end }: Evidence): Judged {
  const { code, signal } = end;
  const plain = { exitCode: code, signal, report, status: runStatus(end, report, true) };
  if (sentinels === undefined) return plain;
  const claim = { complete: report.complete, code: end.timedOut ? null : code };
  const found = readSentinels(report.results, sentinels, claim);
  if (found.verdict === 'bent') {
    const nothing = { ...report, complete: false, results: [] };
    return { ...plain, status: 'unreadable', report: nothing, tampered: found.detail };
  }
  const net = netReport(report, sentinels);
  const hasBad = report.results.some(({ id }) => id.includes(sentinels.bad));
  const exitCode = netCode(code, hasBad, net);
  const status = runStatus({ ...end, code: exitCode }, net, true);
  const isLost = found.verdict === 'lost' && status === 'completed';
  const whole = { exitCode: exitCode ?? code, signal, report: net };
  return { ...whole, status: isLost ? 'crashed' : status };
}

/** Status and report of a run, from its evidence alone; net of its sentinels, and nothing where these were bent. */
export function judge(evidence: Evidence): Judged {
  const { runner, nonce, bytes, code, signal } = evidence;
  const report = parsers[runner].parse(bytes, nonce);
  if (report !== null) return judgeReport(report, evidence);
  const status = runStatus(evidence, null, bytes.length > 0);
  const nothing = { runner, complete: false, results: [] };
  return { exitCode: code, signal, status, report: nothing };
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
    const { tampered: _, ...rest } = result;
    return { ...rest, ...judge(unpackEvidence(ledger.get(result.reportBlob))) };
  }
  const timedOut = result.status === 'timed-out';
  const end = { code: result.exitCode, signal: result.signal, timedOut, outOf: result.outOf };
  const status = runStatus(end, null, false);
  return { ...result, status, report: { ...result.report, complete: false, results: [] } };
}
