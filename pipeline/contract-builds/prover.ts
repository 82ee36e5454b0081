import type { Contract } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Box } from '../../stages/context.ts';

/** What one prover adds to a build. Boxes come ready; a missing tool is a Fault. */
export type Prover = {
  readonly name: 'rocq' | 'isabelle';
  /** The version as the tool's own binary prints it, e.g. `8.16.1`. */
  version(box: Box, signal: AbortSignal): Promise<string>;
  /**
   * The soundness audit (contracts.md 9.4), in the box where the build has just passed: a process of its own loads the built
   * objects. Reasons are `audit.axiom`, `audit.oracle`, `audit.recheck`; empty when sound.
   */
  audit(
    box: Box,
    contract: Contract,
    signal: AbortSignal,
  ): Promise<{ readonly audit: NonNullable<ContractBuild['audit']>; readonly reasons: Reason[] }>;
  /**
   * The fingerprint of the target's elaborated statement in the tree that lies in the box, which is the probe's own copy and may
   * be changed. `stub`: put a hole for the regions' bodies first (the base has no proof). Null when the tree does not elaborate.
   */
  fingerprint(
    box: Box,
    contract: Contract,
    options: { readonly stub: boolean },
    signal: AbortSignal,
  ): Promise<string | null>;
};
