import type { Instance } from '../../schemas/instance.ts';
import type { Rejection } from '../../schemas/rejection.ts';

/** Gate 7: the levels that were reached, with the matrix as evidence, one line a row. `why`: what else is to be said of them. */
export const notCoupled = (
  proved: Pick<Instance, 'couplings' | 'matrix'>,
  bar: number,
  why = '',
): Rejection => ({
  code: 'not-coupled',
  detail: describeLevels(proved, bar) + why,
  evidence: matrixLines(proved),
});

const describeLevels = ({ couplings }: Pick<Instance, 'couplings'>, bar: number): string =>
  couplings.length === 0
    ? `no pair of requirements is coupled, expected one at level ${bar}`
    : `levels ${couplings.map(({ from, to, level }) => `${from}-${to}:${level}`).join(' ')}, expected one at ${bar} and a connected graph`;

const matrixLines = ({ matrix }: Pick<Instance, 'matrix'>): string[] =>
  matrix.map(
    ({ name, cells }) =>
      `${name} ${cells.map(({ group, verdict }) => `${group}=${verdict}`).join(' ')}`,
  );
