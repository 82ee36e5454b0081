import type { Contract } from '../../schemas/contract.ts';
import type { Condition } from '../../schemas/experiment.ts';

const condition = (
  name: string,
  kind: Condition['interface'],
  attempts: number,
  diagnosticFirst: boolean,
  order: Condition['order'],
): Condition => ({ name, interface: kind, attempts, diagnosticFirst, order });

/**
 * The built-in conditions: C0 to C4 as published (CAPRI, Table 1; C2 is checked before the build), S0 and S1 ours.
 * Source: contracts.md 10.
 */
export const conditions: readonly Condition[] = [
  condition('C0', 'edits', 1, false, 'measure'),
  condition('C1', 'edits', 4, true, 'measure'),
  condition('C2', 'body', 4, true, 'contract-first'),
  condition('C3', 'edits', 1, true, 'measure'),
  condition('C4', 'edits', 4, false, 'measure'),
  condition('S0', 'shell', 1, false, 'contract-first'),
  condition('S1', 'shell', 4, false, 'contract-first'),
];

/** A condition by its name, or as a plan writes it out; null for a name that is none. */
export function conditionOf(given: string | Condition): Condition | null {
  if (typeof given !== 'string') return given;
  return conditions.find(({ name }) => name === given) ?? null;
}

/** The contract that holds in a rollout. A condition changes interface, order and attempts and nothing else. */
export function effective(contract: Contract, given: Condition): Contract {
  const { interface: kind, order, attempts } = given;
  return { ...contract, interface: kind, order, limits: { ...contract.limits, attempts } };
}
