import { coreOperators } from './core.ts';
import type { Operator } from './operator.ts';
import { shapeOperators } from './shapes.ts';
import { valueOperators } from './values.ts';

/** Every operator, the core first; names are unique and stand in the evidence. */
export const operators: readonly Operator[] = [
  ...coreOperators,
  ...valueOperators,
  ...shapeOperators,
];
