import { variable } from '../../pipeline/env.ts';

/** Runs of a property: as given in the default suite, FUZZ times as many when that variable is set. */
export const longer = (runs: number): number => runs * Number(variable('FUZZ') ?? '1');
