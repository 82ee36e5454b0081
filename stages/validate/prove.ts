import type { Instance, Mutant } from '../../schemas/instance.ts';
import { admissionOf } from '../flakes/repeat-gold.ts';
import { proveCouplings } from '../weave/coupling-level.ts';
import { dependenceOf, type Kill } from '../weave/dependence.ts';
import { groupTests } from '../weave/groups.ts';
import type { Baseline } from './baseline.ts';
import { type LatticeRow, matrixOf, runLattice } from './lattice.ts';
import { runMutants } from './mutate.ts';
import type { Bench } from './observe.ts';
import { mergeSolos } from './solo-merges.ts';
import { soloSolutions, worthAsking } from './solos.ts';
import { tracesOf } from './trace.ts';

type Known = Omit<Baseline, 'quarantined' | 'repeated'>;

/** What lattice and mutants say of the target tests, and the groups that this makes. */
export async function weigh(
  bench: Bench,
  { base, gold, failToPass, passToPass }: Known,
  composed?: readonly LatticeRow[],
) {
  const rows = composed ?? (await runLattice(bench, [base, gold]));
  const { mutants, reach } = await runMutants(bench, gold, failToPass);
  const dependences = failToPass.map((test) =>
    dependenceOf(test, rows.map(rowFacts), killsOf(bench, mutants)),
  );
  return { rows, mutants, reach, dependences, groups: groupTests(dependences, passToPass) };
}

/** Groups by what execution says each test depends on, and the level of every coupling with its evidence. */
export async function proveInstance(bench: Bench, baseline: Baseline): Promise<Instance> {
  const { task, environment, context } = bench;
  const { gold, quarantined, repeated } = baseline;
  const { rows, mutants, reach, dependences, groups } = await weigh(bench, baseline);
  const matrix = matrixOf(rows, groups);
  const ids = task.requirements.map(({ id }) => id);
  const traces = [...tracesOf(task, dependences)];
  const levels = (soloMerges: Instance['soloMerges']) =>
    proveCouplings(task.couplings, { ids, matrix, dependences, soloMerges });
  const asked = worthAsking(bench, gold.tree, levels([]), traces, groups);
  const solos = [...task.solos, ...(await soloSolutions(bench, asked))];
  const soloMerges = [...(await mergeSolos(bench, solos, groups))];
  return {
    task: task.id,
    revision: task.revision,
    environmentDigest: environment.digest,
    groups: [...groups],
    matrix: [...matrix],
    couplings: [...levels(soloMerges)],
    mutants: [...mutants],
    ...(reach === null ? {} : { reach }),
    traces: [...traces],
    soloMerges,
    controls: [],
    quarantined: [...quarantined],
    repeats: context.settings.repeats,
    admission: admissionOf(repeated),
    ...(repeated.flakes.length === 0 ? {} : { flakes: [...repeated.flakes] }),
    goldTree: gold.tree,
  };
}

export const rowFacts = ({ subset, run }: LatticeRow) => ({
  name: subset.name,
  members: subset.members,
  statusOf: run === null ? null : run.statusOf,
});

function killsOf({ task }: Bench, mutants: readonly Mutant[]): readonly Kill[] {
  return mutants
    .filter(({ verdict }) => verdict === 'killed')
    .map(({ id, part, killed }) => ({
      mutant: id,
      requirements: task.gold.find((candidate) => candidate.id === part)?.needs ?? [],
      killed,
    }));
}
