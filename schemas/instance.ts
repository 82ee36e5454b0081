import { z } from 'zod';
import { ProvedCoupling } from './coupling.ts';
import { Digest } from './digest.ts';
import { AdmissionRun, Flake } from './flake.ts';
import { Outcome } from './outcome.ts';

/** T_i, T_ij or P. `refs` are requirement ids in order; ids sorted and in one group only. */
export const TestGroup = z.strictObject({
  name: z.string(),
  kind: z.enum(['requirement', 'edge', 'regression']),
  refs: z.array(z.string()),
  ids: z.array(z.string()),
});
export type TestGroup = z.infer<typeof TestGroup>;

export const CellVerdict = z.enum(['pass', 'fail', 'blocked', 'conflict']);
export type CellVerdict = z.infer<typeof CellVerdict>;

/** One row of the subset lattice: the gold parts of `subset` on the base, against every group. */
export const MatrixRow = z.strictObject({
  name: z.string(),
  subset: z.array(z.string()),
  tree: Digest.nullable(),
  run: Digest.nullable(),
  cells: z.array(
    z.strictObject({
      group: z.string(),
      verdict: CellVerdict,
      passed: z.number().int().nonnegative(),
      total: z.number().int().nonnegative(),
    }),
  ),
});
export type MatrixRow = z.infer<typeof MatrixRow>;

/** A small change of lines that one part brought, inside the whole gold tree. `killed`: target tests that fail by assertion. */
export const Mutant = z.strictObject({
  id: z.string(),
  part: z.string(),
  path: z.string(),
  line: z.number().int().positive(),
  operator: z.string(),
  tree: Digest,
  run: Digest,
  verdict: z.enum(['killed', 'survived', 'too-coarse', 'broken']),
  killed: z.array(z.string()),
});
export type Mutant = z.infer<typeof Mutant>;

/** A task proved in one environment: groups by execution, levels with their evidence, controls in their class. */
export const Instance = z.strictObject({
  task: z.string(),
  revision: z.number().int().nonnegative(),
  environmentDigest: Digest,
  groups: z.array(TestGroup),
  matrix: z.array(MatrixRow),
  couplings: z.array(ProvedCoupling),
  mutants: z.array(Mutant),
  /**
   * What was known of the places that tests run when the mutants were chosen. `run`: gold with probes, null where nothing could be
   * known and mutants ran whole test files. `places`: all that could be weakened; `unreached`: left out, no target test's file runs it.
   */
  reach: z
    .strictObject({
      run: Digest.nullable(),
      places: z.number().int().nonnegative(),
      unreached: z.number().int().nonnegative(),
    })
    .optional(),
  /** Test to what it depends on, by assertion, and the clauses it checks. */
  traces: z.array(
    z.strictObject({
      test: z.string(),
      parts: z.array(z.string()),
      clauses: z.array(z.string()),
      evidence: z.array(z.string()),
    }),
  ),
  soloMerges: z.array(
    z.strictObject({
      requirements: z.array(z.string()),
      solos: z.array(
        z.strictObject({
          requirement: z.string(),
          by: z.string(),
          entrant: z.string(),
          tree: Digest,
        }),
      ),
      tree: Digest.nullable(),
      run: Digest.nullable(),
      failing: z.array(z.string()),
    }),
  ),
  controls: z.array(z.strictObject({ name: z.string(), expected: Outcome, outcome: Outcome })),
  quarantined: z.array(z.string()),
  repeats: z.number().int().positive(),
  /** The runs of gold that admitted the task, in order, with what was made different about each. */
  admission: z.array(AdmissionRun).optional(),
  /** What changed its verdict in them, with its evidence; each id is quarantined too. */
  flakes: z.array(Flake).optional(),
  goldTree: Digest,
});
export type Instance = z.infer<typeof Instance>;
