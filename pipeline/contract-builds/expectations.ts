import type { PinnedBuild } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { TestReport } from '../../schemas/test-report.ts';

/** What the base and the reference gave with the same overlay: statuses by test id. */
export type Baseline = Readonly<Record<string, string>>;

const reason = (code: string, detail: string): Reason => ({
  code: `build.${code}`,
  path: null,
  at: null,
  detail,
});

/** Ids that must be there and passed. `all-baseline`: those that passed on the baseline and are not known as flaky. */
function expectedIds({ expect }: PinnedBuild, baseline: Baseline): string[] {
  const { fail_to_pass = [], pass_to_pass = [], flaky = [] } = expect;
  const passing =
    pass_to_pass === 'all-baseline'
      ? Object.keys(baseline).filter((id) => baseline[id] === 'passed' && !flaky.includes(id))
      : pass_to_pass;
  return [...new Set([...fail_to_pass, ...passing])].toSorted();
}

function idReason(id: string, status: string | undefined): Reason | null {
  if (status === 'passed') return null;
  if (status === undefined || status === 'absent') return reason('id-missing', id);
  return status === 'skipped' || status === 'todo'
    ? reason('id-skipped', id)
    : reason('id-failed', `${id} (${status})`);
}

function sameReasons(
  { expect }: PinnedBuild,
  statuses: ReadonlyMap<string, string>,
  baseline: Baseline,
): Reason[] {
  const skipped = (list: readonly (readonly [string, string])[]) =>
    list
      .flatMap(([id, status]) => (status === 'skipped' ? [id] : []))
      .toSorted()
      .join('\n');
  const before = Object.entries(baseline);
  const isSkip = skipped(before) === skipped([...statuses]);
  return [
    ...(expect.total === 'same' && before.length !== statuses.size
      ? [reason('total', `${statuses.size} tests, ${before.length} on the baseline`)]
      : []),
    ...(expect.skipped === 'same' && !isSkip
      ? [reason('skipped', 'other tests are skipped than on the baseline')]
      : []),
  ];
}

/** B2 to B5 on one report. An id that stands twice is evidence of nothing. Source: contracts.md 1. */
export function reportReasons(
  build: PinnedBuild,
  report: TestReport,
  baseline: Baseline,
): Reason[] {
  const statuses = new Map<string, string>();
  const twice = report.results.find(({ id, status }) => {
    const isKnown = statuses.has(id);
    statuses.set(id, status);
    return isKnown;
  });
  if (twice) return [reason('report-conflict', `${twice.id} has two results`)];
  if (!report.complete) return [reason('report-incomplete', 'the report has no end')];
  const ids = expectedIds(build, baseline).map((id) => idReason(id, statuses.get(id)));
  return [...ids.filter((one) => one !== null), ...sameReasons(build, statuses, baseline)];
}
