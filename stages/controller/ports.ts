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

/** One shell in a fresh copy of a base. */
export type Shell = {
  /** Runs one command; output of both streams, with the exit status at its end. A command out of time is ended. */
  run(command: string, timeoutMs: number): Promise<string>;
};

/** The tree that a shell left, by its manifest's digest, or why there is none. */
export type Left =
  | { readonly tree: string; readonly discarded: readonly string[] }
  | { readonly reason: string };

/**
 * Lends shells; the copy and everything in it goes when the work returns. Before it goes `keep` is called with what was left, also
 * where the work throws or is cancelled.
 */
export type Shells = {
  use<T>(
    step: {
      readonly contract: Contract;
      readonly base: string;
      readonly keep: (left: Left) => void;
    },
    signal: AbortSignal,
    work: (shell: Shell) => Promise<T>,
  ): Promise<T>;
};
