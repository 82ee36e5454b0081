import { z } from 'zod';

/** Who may be asked, and what is known of them. */
export const Entrant = z.strictObject({
  name: z.string(),
  family: z.string(),
  provider: z.string(),
});
export type Entrant = z.infer<typeof Entrant>;

/** What the stages may know of a run: parsed, frozen, without endpoints and keys. */
export const RunSettings = z.strictObject({
  run: z.string(),
  /** Every choice by chance starts here. */
  seed: z.number().int(),
  /** The least level of weaving.md section 3 that one edge must reach. */
  level: z.number().int().min(2).max(4),
  repeats: z.number().int().min(1),
  mutantsPerPart: z.number().int().min(0),
  mutantOperators: z.enum(['core', 'all']),
  drafter: Entrant.nullable(),
  solvers: z.array(Entrant),
  soloSolvers: z.array(Entrant),
  reviewer: Entrant.nullable(),
  repairer: Entrant.nullable(),
  condition: z.enum(['auto', 'edits', 'body']),
  replicates: z.number().int().min(1),
  rounds: z.number().int().min(0).max(3),
});
export type RunSettings = z.infer<typeof RunSettings>;
