import type { Disturbance, Flake } from '../../schemas/flake.ts';
import type { Observation } from '../validate/observe.ts';

/** Ids whose status is not the same in all runs, sorted. An id that one run lacks is absent there. */
export function unstableIds(runs: readonly Observation[]): readonly string[] {
  const all = new Set(runs.flatMap(({ ids }) => ids));
  const changes = (id: string) => new Set(runs.map((run) => run.statusOf(id))).size > 1;
  return [...all].filter(changes).toSorted();
}

/** Runs that tell causes apart: two undisturbed ones, then each change that made a difference alone. */
export function diagnosticRuns(runs: readonly Observation[]): readonly (Disturbance | null)[] {
  const [first, ...later] = runs;
  if (first === undefined) return [];
  const differs = (run: Observation) => unstableIds([first, run]).length > 0;
  const guilty = later.flatMap((run) =>
    run.disturbance !== null && differs(run) ? [run.disturbance] : [],
  );
  const order = guilty.find((one) => one.order !== null)?.order ?? null;
  const clockShiftS = guilty.find((one) => one.clockShiftS !== 0)?.clockShiftS ?? 0;
  return [
    null,
    null,
    ...(order === null ? [] : [{ order, clockShiftS: 0 }]),
    ...(clockShiftS === 0 ? [] : [{ order: null, clockShiftS }]),
  ];
}

const isOrderAlone = ({ disturbance }: Observation) =>
  disturbance !== null && disturbance.order !== null && disturbance.clockShiftS === 0;
const isClockAlone = ({ disturbance }: Observation) =>
  disturbance !== null && disturbance.order === null && disturbance.clockShiftS !== 0;

const same = (a: Observation, b: Observation) =>
  a.disturbance?.order === b.disturbance?.order &&
  a.disturbance?.clockShiftS === b.disturbance?.clockShiftS;

/** What a change of verdict follows: whatever alone brings it about each time, else chance. */
function suspectOf(id: string, runs: readonly Observation[]): Flake['suspect'] {
  const [first, ...later] = runs;
  const differs = (run: Observation) => run.statusOf(id) !== first?.statusOf(id);
  const isSure = (run: Observation) => later.filter((other) => same(run, other)).every(differs);
  const guilty = later.filter((run) => differs(run) && isSure(run));
  if (later.some((run) => run.disturbance === null && differs(run))) return 'chance';
  if (guilty.some(isClockAlone)) return 'clock';
  return guilty.some(isOrderAlone) ? 'order' : 'chance';
}

/** The tests that changed their verdict, each with what is suspected and every run that was looked at. Sorted by id. */
export const flakesOf = (runs: readonly Observation[]): readonly Flake[] =>
  unstableIds(runs).map((id) => ({
    id,
    suspect: suspectOf(id, runs),
    runs: runs.map((run) => ({ run: run.key, status: run.statusOf(id) })),
  }));
