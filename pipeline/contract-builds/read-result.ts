import type { PinnedBuild } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Box } from '../../stages/context.ts';
import { type Evidence, judge, packEvidence } from '../../stages/test-reports/evidence.ts';
import { parseRecord } from '../../stages/test-reports/record.ts';
import { statusesOf } from './expectations.ts';
import type { ExpectedTree } from './expected-tree.ts';
import { buildReason } from './reason.ts';

const LINE_FEED = 10;
const SEAL = /^[0-9a-f]{64} /u;

/** Whether the last line of a report whose seals hold is the reporter's own end. */
function hasEnd({ bytes }: Evidence): boolean {
  if (bytes.at(-1) !== LINE_FEED) return false;
  const start = bytes.lastIndexOf(LINE_FEED, bytes.length - 2) + 1;
  const line = new TextDecoder().decode(bytes.subarray(start, -1));
  return parseRecord(line.replace(SEAL, ''))?.type === 'end';
}

type Blobs = { put(bytes: Uint8Array): string };

type Reported = Pick<ContractBuild, 'results' | 'streamBlob'> & {
  /** Statuses by id of a report that can be believed; null where there is none, with the reasons. */
  readonly statuses: ReadonlyMap<string, string> | null;
  readonly reasons: Reason[];
};

/** B2: what the reporting command said, or why that is evidence of nothing. */
export function readReport(evidence: Evidence, blobs: Blobs): Reported {
  const missing = { results: [], streamBlob: null, statuses: null };
  if (evidence.bytes.length === 0)
    return { ...missing, reasons: [buildReason('report-incomplete', 'the report is empty')] };
  const judged = judge(evidence);
  const results = judged.report.results
    .map(({ id, status }) => ({ id, status }))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const kept = { results, streamBlob: blobs.put(packEvidence(evidence)) };
  if (judged.status === 'unreadable')
    return {
      ...missing,
      ...kept,
      reasons: [buildReason('report-conflict', 'the report is not what the reporter writes')],
    };
  const statuses = statusesOf(judged.report, hasEnd(evidence));
  if ('code' in statuses) return { ...missing, ...kept, reasons: [statuses] };
  return { ...kept, statuses, reasons: [] };
}

/** B7: every target is new in this run; one that lay in the tree was built by nobody here. */
export async function missingTargets(
  box: Box,
  { expect }: PinnedBuild,
  { entries }: ExpectedTree,
): Promise<Reason[]> {
  const laid = new Set(entries.map(({ path }) => path));
  const reasons: Reason[] = [];
  for (const target of expect.targets ?? []) {
    const isThere = (await box.read(target, 1)) !== null;
    const isOld = laid.has(target);
    if (isOld) reasons.push(buildReason('target-missing', 'was there before', target));
    else if (!isThere) reasons.push(buildReason('target-missing', 'was not built', target));
  }
  return reasons;
}
