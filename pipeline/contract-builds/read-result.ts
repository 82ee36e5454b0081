import type { PinnedBuild } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import type { Box } from '../../stages/context.ts';
import { judge, packEvidence } from '../../stages/test-reports/evidence.ts';
import { type Baseline, reportReasons } from './expectations.ts';
import type { Ran } from './run-commands.ts';

const MAX_REPORT_BYTES = 64 * 1024 * 1024;

type Blobs = { put(bytes: Uint8Array): string; get(sha256: string): Uint8Array };

const reason = (code: string, detail: string): Reason => ({
  code: `build.${code}`,
  path: null,
  at: null,
  detail,
});

function baselineOf({ expect }: PinnedBuild, blobs: Blobs): Baseline {
  if (expect.baseline === undefined) return {};
  const bytes = blobs.get(expect.baseline.replace(/^sha256:/u, ''));
  return JSON.parse(new TextDecoder().decode(bytes)) as Baseline;
}

type Reported = Pick<ContractBuild, 'results' | 'streamBlob'> & { readonly reasons: Reason[] };

const unreported = (detail: string, code = 'report-incomplete') => [reason(code, detail)];

/** What the report says, against what is expected and against how the runner ended. */
export async function readReport(
  box: Box,
  build: PinnedBuild,
  { report, last }: Ran,
  blobs: Blobs,
): Promise<Reported> {
  if (report === null || build.report === undefined)
    return { results: [], streamBlob: null, reasons: [] };
  const bytes = (await box.read(report.path, MAX_REPORT_BYTES)) ?? new Uint8Array();
  if (bytes.length === 0)
    return { results: [], streamBlob: null, reasons: unreported('the report is empty') };
  const evidence = { ...last, runner: build.report.kind, nonce: report.nonce, bytes };
  const judged = judge(evidence);
  const results = judged.report.results
    .map(({ id, status }) => ({ id, status }))
    .toSorted((left, right) => (left.id < right.id ? -1 : 1));
  const kept = { results, streamBlob: blobs.put(packEvidence(evidence)) };
  if (judged.status === 'unreadable')
    return {
      ...kept,
      reasons: unreported('the report is not what the reporter writes', 'report-conflict'),
    };
  const own = reportReasons(build, judged.report, baselineOf(build, blobs));
  const isAtOdds = own.length === 0 && last.code !== 0;
  return {
    ...kept,
    reasons: isAtOdds ? [reason('exit', `the runner ended with ${last.code}`)] : own,
  };
}

/** B7: every target is new in this run; one that lay in the tree was built by nobody here. */
export async function missingTargets(
  box: Box,
  { expect }: PinnedBuild,
  entries: readonly TreeEntry[],
): Promise<Reason[]> {
  const laid = new Set(entries.map(({ path }) => path));
  const reasons: Reason[] = [];
  for (const target of expect.targets ?? []) {
    const isThere = (await box.read(target, 1024)) !== null;
    if (laid.has(target)) reasons.push(reason('target-missing', `${target} was there before`));
    else if (!isThere) reasons.push(reason('target-missing', `${target} was not built`));
  }
  return reasons;
}
