import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Box, Exit } from '../../stages/context.ts';
import { openFrame, supervisedArgv } from '../../stages/test-reports/frame.ts';

/** As much as supervise.mjs keeps of a report and of each stream. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_FRAME_BYTES = MAX_REPORT_BYTES + 2 * MAX_OUTPUT_BYTES + 64 * 1024;
/** The supervisor keeps the limit itself, to save what was reported until then; the box ends one that does not. */
const GRACE_MS = 10_000;
const NOT_FOUND = 127;

/** How a suite ended, the report's bytes and the nonce that vouches for them. */
type SuiteEnd = Exit & {
  readonly nonce: string;
  readonly bytes: Uint8Array;
  readonly unsupervised?: true;
};

type Suite = {
  /** The runner's command, which reports at `report` where nobody supervises. */
  readonly argv: readonly string[];
  readonly report: string;
  readonly timeoutMs: number;
};

/** The bytes that supervise a suite, here and in an exported grader. */
export const supervisorBytes = (): Uint8Array =>
  new Uint8Array(readFileSync(new URL('supervise.mjs', import.meta.url)));

/**
 * Run a suite under the supervisor. Without a frame under our key there is no report: somebody ended or imitated the supervisor,
 * and the control says whether that was the world.
 */
async function supervised(box: Box, suite: Suite, signal: AbortSignal): Promise<SuiteEnd> {
  const { argv, timeoutMs } = suite;
  const script = `${box.outside}/supervise.mjs`;
  await box.write([{ path: script, kind: 'file', bytes: supervisorBytes() }]);
  const [nonce, key] = [randomBytes(16).toString('hex'), randomBytes(32).toString('hex')];
  const stdin = Buffer.from(`${nonce}\n${key}`);
  const limits = { timeoutMs: timeoutMs + GRACE_MS, maxOutputBytes: MAX_FRAME_BYTES, stdin };
  const command = supervisedArgv({ node: 'node', script, timeoutMs, argv });
  const exit = await box.exec(command, limits, signal);
  const frame = openFrame(exit.stdout, key);
  if (frame === null) return { ...exit, nonce, bytes: new Uint8Array() };
  const { report: bytes, dropped: droppedBytes, ...end } = frame;
  return { ...exit, ...end, droppedBytes, nonce, bytes };
}

/** An image of the user's may have no Node, which the supervisor needs: then the report is a file beside the tree. */
async function alone(box: Box, suite: Suite, signal: AbortSignal): Promise<SuiteEnd> {
  const { argv, report, timeoutMs } = suite;
  const nonce = randomBytes(16).toString('hex');
  await box.write([{ path: `${report}.nonce`, kind: 'file', bytes: Buffer.from(nonce) }]);
  const limits = { timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES };
  const exit = await box.exec(argv, limits, signal);
  const bytes = (await box.read(report, MAX_REPORT_BYTES)) ?? new Uint8Array();
  return { ...exit, nonce, bytes, unsupervised: true };
}

/** Run a suite to its end, its limit or the abort. What the suite does is a result; a Fault is the box. */
export async function runSuite(box: Box, suite: Suite, signal: AbortSignal): Promise<SuiteEnd> {
  const ended = await supervised(box, suite, signal);
  const isMissing =
    ended.code === NOT_FOUND && ended.bytes.length === 0 && ended.stdout.length === 0;
  return isMissing && !ended.timedOut ? await alone(box, suite, signal) : ended;
}
