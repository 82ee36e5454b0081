import { z } from 'zod';

export const CouplingKind = z.enum([
  'requires',
  'constrains',
  'overrides',
  'shares-state',
  'orders',
]);

/** A declared edge between two requirements; what execution proved of it is in the instance. */
export const Coupling = z.strictObject({
  from: z.string(),
  to: z.string(),
  kind: CouplingKind,
  text: z.string(),
});
export type Coupling = z.infer<typeof Coupling>;

/** Levels of weaving.md section 3: 0 independent, 1 textual, 2 dependent, 3 joint, 4 interacting. */
export const ProvedCoupling = Coupling.extend({
  level: z.number().int().min(0).max(4),
  evidence: z.array(
    z.enum(['ablation', 'mutation', 'solo-merge', 'merge-conflict', 'blocked', 'none']),
  ),
  /** Test ids that carry the proof, sorted. */
  tests: z.array(z.string()),
  detail: z.string(),
});
export type ProvedCoupling = z.infer<typeof ProvedCoupling>;
