import type { Comparison, RolloutRecord } from '../../schemas/experiment.ts';
import { type Fraction, printFraction, type Side, signTest } from './exact-test.ts';

/** What a comparison found: pairs better under `a`, better under `b`, ties, and the exact p of its declared side. */
export type Compared = {
  readonly a: string;
  readonly b: string;
  readonly entrant: string;
  readonly unit: Comparison['unit'];
  readonly side: Side;
  readonly label: string | null;
  readonly better: number;
  readonly worse: number;
  readonly ties: number;
  readonly n: number;
  /** Pairs left out because one side has no outcome. */
  readonly incomplete: number;
  readonly p: string;
  readonly exact: string;
};

const spelled = ({ num, den }: Fraction) => `${num}/${den}`;

/** Better, worse and tied pairs of two lists of counts, one per task. */
export function tally(pairs: readonly (readonly [number, number])[]): {
  readonly better: number;
  readonly worse: number;
  readonly ties: number;
} {
  const better = pairs.filter(([a, b]) => a > b).length;
  const worse = pairs.filter(([a, b]) => a < b).length;
  return { better, worse, ties: pairs.length - better - worse };
}

const isValid = ({ outcome }: RolloutRecord) => (outcome === 'valid-success' ? 1 : 0);

type Cells = ReadonlyMap<string, readonly RolloutRecord[]>;

function cellsOf(rollouts: readonly RolloutRecord[], unit: Comparison['unit']): Cells {
  const cells = new Map<string, RolloutRecord[]>();
  for (const rollout of rollouts) {
    const key = unit === 'block' ? `${rollout.instance} ${rollout.replicate}` : rollout.instance;
    cells.set(key, [...(cells.get(key) ?? []), rollout]);
  }
  return cells;
}

const isWhole = (cell: readonly RolloutRecord[]) => cell.every(({ outcome }) => outcome !== null);
const validOf = (cell: readonly RolloutRecord[]) =>
  cell.reduce((sum, rollout) => sum + isValid(rollout), 0);

/**
 * One declared comparison of two conditions under one entrant. Pairs with a rollout that has no outcome are left out and
 * counted: an incomplete rollout is no failure. Replicates of one instance are not independent, which the report says.
 */
export function compare(
  comparison: Comparison,
  entrant: string,
  rollouts: readonly RolloutRecord[],
): Compared {
  const { a, b, unit, side, label = null } = comparison;
  const own = rollouts.filter((rollout) => rollout.entrant === entrant);
  const of = (condition: string) =>
    cellsOf(
      own.filter((rollout) => rollout.condition === condition),
      unit,
    );
  const [first, second] = [of(a), of(b)];
  const both = [...first].flatMap(([key, cell]) => {
    const other = second.get(key);
    return other === undefined ? [] : [[cell, other] as const];
  });
  const whole = both.filter(([one, other]) => isWhole(one) && isWhole(other));
  const counts = tally(whole.map(([one, other]) => [validOf(one), validOf(other)]));
  const p = signTest(counts.better, counts.worse, side);
  return {
    ...{ a, b, entrant, unit, side, label, ...counts },
    n: counts.better + counts.worse,
    incomplete: both.length - whole.length,
    p: printFraction(p),
    exact: spelled(p),
  };
}
