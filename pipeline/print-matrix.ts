import type { Instance } from '../schemas/instance.ts';
import { soloWitnesses } from '../stages/validate/solo-witness.ts';
import type { BatchEnd } from './run-batch.ts';

/** The lattice of every accepted task and the level of each of its edges. */
export function printMatrices(ends: readonly BatchEnd[], print: (line: string) => void): void {
  for (const { record, state } of ends) {
    const instance = state.facts.instance as Instance | undefined;
    if (instance === undefined || state.rejection !== null) continue;
    print('');
    print(record);
    for (const line of matrixLines(instance)) print(`  ${line}`);
  }
}

/** Subsets down, groups across; then the solo merges, what was proved of each edge, and what was set aside for its changing verdict. */
export function matrixLines(instance: Instance): readonly string[] {
  const { groups, matrix, soloMerges, couplings, flakes = [] } = instance;
  const names = groups.map(({ name, ids }) => `${name} (${ids.length})`);
  const first = Math.max(10, ...matrix.map(({ name }) => name.length)) + 2;
  const wide = names.map((name) => Math.max(name.length, 8) + 2);
  const row = (head: string, cells: readonly string[]) =>
    head.padEnd(first) + cells.map((cell, index) => cell.padEnd(wide[index] ?? 10)).join('');
  const merges = soloMerges
    .filter(({ failing }) => failing.length > 0)
    .map(({ solos, failing }) => {
      const by = solos
        .map(({ requirement, entrant }) => `${requirement} by ${entrant}`)
        .join(' + ');
      return `solo merge ${by}: fails ${failing.length} joint test(s)`;
    });
  const witnesses = soloWitnesses(instance, '').map(({ id }) => id);
  return [
    row('', names),
    ...matrix
      .map(({ name, cells }) =>
        row(
          name,
          cells.map(({ verdict }) => verdict),
        ),
      )
      .map((line) => line.trimEnd()),
    ...merges.map((line, index) => `${line}, witness ${witnesses[index] ?? 'none'}`),
    ...couplings.map(
      ({ from, to, level, evidence }) => `${from}-${to}: level ${level} (${evidence.join(', ')})`,
    ),
    ...flakes.map(({ id, suspect }) => `quarantined, changes its verdict by ${suspect}: ${id}`),
  ];
}
