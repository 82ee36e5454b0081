import type { RunConfig } from '../schemas/run-config.ts';
import type { Prices } from './ledger/money.ts';

/** What each model of the run file costs, by name; unknown is null, which is not 0. */
export const pricesOf = ({ models }: RunConfig): Prices =>
  Object.fromEntries(models.map(({ name, price }) => [name, price]));
