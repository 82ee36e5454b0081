import { z } from 'zod';
import type { PinnedBuild } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TestReport } from '../../schemas/test-report.ts';
import { Fault } from '../../stages/fault.ts';
import { buildReason } from './reason.ts';

/** What the base and the reference gave with the same overlay: statuses by test id. */
export type Baseline = Readonly<Record<string, string>>;

const Recorded = z.record(z.string(), z.string());
const bad = new Set(['failed', 'error']);

/** The recorded results that a contract names by their hash; empty where it names none. */
export function baselineOf(
  { expect }: PinnedBuild,
  blobs: { get(sha256: string): Uint8Array },
): Baseline {
  if (expect.baseline === undefined) return {};
  const text = new TextDecoder().decode(blobs.get(expect.baseline.replace(/^sha256:/u, '')));
  try {
    return Recorded.parse(JSON.parse(text));
  } catch (cause) {
    throw new Fault(
      'Build failed: build.expect.baseline is no record of statuses by test id. Record it again.',
      { code: 'environment-failed', cause },
    );
  }
}

/** Ids that must be there and passed. `all-baseline`: those that passed on the baseline and are not known as flaky. */
function expectedIds({ expect }: PinnedBuild, baseline: Baseline): string[] {
  const { fail_to_pass = [], pass_to_pass = [], flaky = [] } = expect;
  const passing =
    pass_to_pass === 'all-baseline'
      ? Object.keys(baseline).filter((id) => baseline[id] === 'passed' && !flaky.includes(id))
      : pass_to_pass;
  return [...new Set([...fail_to_pass, ...passing])].toSorted();
}

/** Why an id is not literally passed, or null. */
function idReason(id: string, status: string | undefined): Reason | null {
  if (status === 'passed') return null;
  if (status === undefined || status === 'absent') return buildReason('id-missing', id);
  return status === 'skipped'
    ? buildReason('id-skipped', id)
    : buildReason('id-failed', `${id} (${status})`);
}

/** B4: as many results as on the baseline, and the same skipped ids. */
function sameReasons(
  expect: { readonly total?: 'same' | undefined; readonly skipped?: 'same' | undefined },
  statuses: ReadonlyMap<string, string>,
  baseline: Baseline,
): Reason[] {
  const skipped = (list: Iterable<readonly [string, string]>) =>
    [...list]
      .flatMap(([id, status]) => (status === 'skipped' ? [id] : []))
      .toSorted()
      .join('\n');
  const before = Object.entries(baseline);
  return [
    ...(expect.total === 'same' && before.length !== statuses.size
      ? [buildReason('total', `${statuses.size} tests, ${before.length} on the baseline`)]
      : []),
    ...(expect.skipped === 'same' && skipped(before) !== skipped(statuses)
      ? [buildReason('skipped', 'other tests are skipped than on the baseline')]
      : []),
  ];
}

/**
 * B2: the statuses by id, or why the report is evidence of nothing. `hasEnd`: the reporter came to its own end, so that what was
 * collected and has no result was never run.
 */
export function statusesOf(
  report: TestReport,
  hasEnd: boolean,
): ReadonlyMap<string, string> | Reason {
  const statuses = new Map<string, string>();
  for (const { id, status } of report.results) {
    if (statuses.has(id)) return buildReason('report-conflict', `${id} has two results`);
    statuses.set(id, status);
  }
  if (!hasEnd) return buildReason('report-incomplete', 'the report has no end');
  return statuses;
}

/** Ids that fail without anybody's doing: known as flaky, or failing on the baseline and not to be mended. */
function excused({ expect }: PinnedBuild, baseline: Baseline): ReadonlySet<string> {
  const { fail_to_pass = [], flaky = [] } = expect;
  const failing = Object.keys(baseline).filter(
    (id) => bad.has(baseline[id] ?? '') && !fail_to_pass.includes(id),
  );
  return new Set([...failing, ...flaky]);
}

/**
 * B1 and B5 of the command that reports: the status is 0, or what failed had failed on the reference too, and then the runner must
 * have said so. A runner that ends well beside a failed test, or badly beside none, is believed in neither.
 */
function exitReasons(
  code: number | null,
  statuses: ReadonlyMap<string, string>,
  excuses: ReadonlySet<string>,
): Reason[] {
  const failed = [...statuses].flatMap(([id, status]) => (bad.has(status) ? [id] : []));
  if (code === 0)
    return failed.length === 0
      ? []
      : [buildReason('report-conflict', `the runner ended with 0 and ${failed[0]} failed`)];
  const isExcused = failed.length > 0 && failed.every((id) => excuses.has(id));
  return isExcused ? [] : [buildReason('exit', `the runner ended with ${code ?? 'a signal'}`)];
}

/** B1 to B5 on one complete report and how its command ended. Source: contracts.md 1. */
export function reportReasons(
  build: PinnedBuild,
  statuses: ReadonlyMap<string, string>,
  code: number | null,
  baseline: Baseline,
): Reason[] {
  const absent = [...statuses].flatMap(([id, status]) => (status === 'absent' ? [id] : []));
  const wanted = new Set([...expectedIds(build, baseline), ...absent]);
  const ids = [...wanted].flatMap((id) => idReason(id, statuses.get(id)) ?? []);
  const own = [...ids, ...sameReasons(build.expect, statuses, baseline)];
  const exit = exitReasons(code, statuses, excused(build, baseline));
  // A failed id explains a bad exit; a good exit beside it is a contradiction of its own.
  return own.length > 0 && code !== 0 ? own : [...own, ...exit];
}
