import type { BenchRow } from '../../schemas/bench-row.ts';
import type { ReleaseInput } from '../../schemas/release-input.ts';
import type { Rollout } from '../../schemas/rollout.ts';
import { byText } from './text.ts';

type PanelRow = BenchRow['panel'][number];
type Call = ReleaseInput['calls'][number];

/** A sum, or null as soon as one of its terms is unknown: a partial sum would pass for the whole. */
function sumOf(values: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const value of values) {
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

const tokensOf = ({ usage }: Call) => sumOf([usage.input, usage.output]);

function rowOf(rollouts: readonly Rollout[], calls: ReadonlyMap<string, Call>): PanelRow | null {
  const [first] = rollouts;
  if (!first) return null;
  const count = (outcome: Rollout['outcome']) =>
    rollouts.filter((rollout) => rollout.outcome === outcome).length;
  const requests = rollouts
    .flatMap(({ attempts }) => attempts)
    .flatMap(({ request }) => (request === null ? [] : [request]));
  const found = requests.map((request) => calls.get(request) ?? null);
  const cost = sumOf(found.map((call) => call?.costMicroUsd ?? null));
  return {
    family: first.family,
    model: first.entrant,
    condition: first.condition,
    rollouts: rollouts.length,
    valid_success: count('valid-success'),
    false_success: count('false-success'),
    safe_failure: count('safe-failure'),
    rejected_violation: count('rejected-violation'),
    invalid_candidate: count('invalid-candidate'),
    incomplete: count(null),
    requests: requests.length,
    tokens: sumOf(found.map((call) => (call === null ? null : tokensOf(call)))),
    cost_usd: cost === null ? null : cost / 1e6,
    cost_complete: cost !== null,
  };
}

/** One row per entrant and condition of this revision; controls are no entrants. Unknown tokens and costs are null. */
export function panelOf({ task, rollouts, calls }: ReleaseInput): PanelRow[] {
  const byRequest = new Map(calls.map((call) => [call.request, call]));
  const entrants = new Map<string, Rollout[]>();
  for (const rollout of rollouts) {
    if (rollout.by === 'control' || rollout.revision !== task.revision) continue;
    const key = [rollout.family, rollout.entrant, rollout.condition].join('\n');
    entrants.set(key, [...(entrants.get(key) ?? []), rollout]);
  }
  const sorted = [...entrants].toSorted(([left], [right]) => byText(left, right));
  return sorted.flatMap(([, group]) => rowOf(group, byRequest) ?? []);
}
