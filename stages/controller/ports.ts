import type { Contract } from '../../schemas/contract.ts';
import type { ContractBuild, StatementVerdict } from '../../schemas/contract-build.ts';

/** Builds candidates under B_C. It is handed a tree and never sees a contract report; trouble of the world is a Fault. */
export type Builder = {
  /** `tree` is a manifest's digest. The same root is materialised, checked before and hashed again after. */
  build(
    step: { readonly contract: Contract; readonly tree: string },
    signal: AbortSignal,
  ): Promise<ContractBuild>;
  /** Whether the target still states what it stated in `base`; null for a contract without `semantic`. */
  probe(
    step: { readonly contract: Contract; readonly base: string; readonly tree: string },
    signal: AbortSignal,
  ): Promise<StatementVerdict | null>;
};
