import { packs } from './packs/registry.ts';

const groups = {
  contract: `syntax unknown-key duplicate-key yaml-feature too-large version value path protected-path base-mismatch
    base-invalid marker-missing marker-duplicate marker-order region-overlap target-missing frame-unavailable pack-unknown
    baseline-passes baseline-reason reference-failed control-failed leaks-reference region-not-tail no-pack`,
  proposal: `syntax truncated refused encoding path edit-missing edit-ambiguous edit-overlap unknown-region too-large`,
  tree: 'kind path git-path portable collision link hardlink mode duplicate order excluded too-large',
  path: 'added removed kind mode',
  create: 'glob cap kind protected shadow',
  bytes: 'protected segment',
  region: 'overlap ambiguous joins-marker marker-in-body too-large',
  text: 'encoding bom newline final-newline control bidi invisible cookie line',
  target: 'missing duplicate',
  frame: 'lexical syntactic capture region-kind',
  forbidden: [...Object.keys(packs), 'constructs'].join(' '),
  scan: 'error',
  build: `exit timeout resource report-incomplete report-conflict id-missing id-failed id-skipped total skipped tree-changed
    tree-mismatch target-missing tampered`,
  audit: 'statement oracle axiom recheck',
  note: 'override text-allowed rule-lifted old-hit confusable',
};

/** Every reason there is, in the order that decides which one is primary. The list is closed. */
export const reasonCodes: readonly string[] = Object.entries(groups).flatMap(([group, list]) =>
  list
    .split(/\s+/u)
    .map((code) => (group === 'forbidden' ? `forbidden:${code}` : `${group}.${code}`)),
);

const byText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

/** Reasons in primary order: by code, then path, then position. Throws on a code off the list. */
export function byPrimary<R extends { code: string; path: string | null; at: number | null }>(
  reasons: readonly R[],
): R[] {
  const rank = new Map(reasonCodes.map((code, at) => [code, at]));
  const unknown = reasons.find(({ code }) => !rank.has(code));
  if (unknown) throw new Error(`reason code "${unknown.code}" is not on the closed list`);
  const order = (left: R, right: R) =>
    (rank.get(left.code) ?? 0) - (rank.get(right.code) ?? 0) ||
    byText(left.path ?? '', right.path ?? '') ||
    (left.at ?? 0) - (right.at ?? 0);
  return reasons.toSorted(order);
}
