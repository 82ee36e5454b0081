import type { BenchRow } from '../../schemas/bench-row.ts';
import type { ReleaseInput } from '../../schemas/release-input.ts';
import type { Candidate, Verdict } from '../../schemas/verdict.ts';
import { digestOf } from '../contract/canonical-json.ts';

type Alignment = BenchRow['alignment'];

/** Verdicts of this revision that say the tests are wrong and that no accepted repair has answered. */
export function openMisalignments({ verdicts, kept }: ReleaseInput): Verdict[] {
  const answered = new Set(kept.answered.map(({ id }) => id));
  return verdicts.filter(
    ({ id, verdict }) =>
      (verdict === 'false-positive' || verdict === 'false-negative') && !answered.has(id),
  );
}

function verdictRow(verdict: Verdict, state: 'open' | 'answered'): Alignment['verdicts'][number] {
  return {
    verdict_id: verdict.id,
    verdict: verdict.verdict,
    state,
    side: verdict.side,
    kind: verdict.kind,
    clause_id: verdict.target.clause,
    test_id: verdict.target.test,
    witness_sha256: 'witness' in verdict ? digestOf(verdict.witness) : null,
  };
}

/** Families count, for candidates of one origin fail together; a family errs if any of its members errs. */
function residualOf(candidates: readonly Candidate[]): Alignment['residual'] {
  const families = (list: readonly Candidate[]) => new Set(list.map(({ family }) => family)).size;
  const wrong = candidates.filter(({ claim }) => claim === 'wrong');
  const valid = candidates.filter(({ claim }) => claim === 'valid');
  const none = candidates.length === 0;
  return {
    wrong_accepted: none ? null : families(wrong.filter(({ passesTests }) => passesTests)),
    wrong_families: none ? null : families(wrong),
    valid_rejected: none ? null : families(valid.filter(({ passesTests }) => !passesTests)),
    valid_families: none ? null : families(valid),
    beta_upper: null,
  };
}

function modeOf(verdicts: readonly Verdict[]): Alignment['mode'] {
  if (verdicts.length === 0) return 'none';
  return verdicts.some(({ mode }) => mode === 'assisted') ? 'assisted' : 'keyless';
}

/** What review found, what repair answered, and what stays unknown. */
export function alignmentOf(input: ReleaseInput): Alignment {
  const { verdicts, kept, candidates } = input;
  const answered = new Set(kept.answered.map(({ id }) => id));
  const open = verdicts.filter(({ id }) => !answered.has(id));
  const count = (name: Verdict['verdict']) => open.filter(({ verdict }) => verdict === name).length;
  const accepted = kept.repairs.filter(({ disposition }) => disposition === 'accepted');
  return {
    mode: modeOf([...verdicts, ...kept.answered]),
    aligned: count('aligned'),
    false_positive: count('false-positive'),
    false_negative: count('false-negative'),
    suspect: count('suspect'),
    repaired: new Set(accepted.flatMap(({ verdicts: ids }) => ids)).size,
    verdicts: [
      ...kept.answered.map((verdict) => verdictRow(verdict, 'answered')),
      ...open.map((verdict) => verdictRow(verdict, 'open')),
    ],
    residual: residualOf(candidates),
    reruns: null,
  };
}
