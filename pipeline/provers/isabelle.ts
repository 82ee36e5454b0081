import { Fault } from '../../stages/fault.ts';
import type { Prover } from '../contract-builds/prover.ts';

/**
 * Isabelle on the checking side alone: scanner, region kind and packs are complete, a build is the contract's own
 * `isabelle build` command. No Isabelle was at hand to run the audit against, so nothing here claims to have audited.
 */
const unavailable = (what: string) =>
  new Fault(
    `${what} failed: the Isabelle audit was never run with an Isabelle and is not offered. Check without --build.`,
    { code: 'environment-failed' },
  );

export const isabelle: Prover = {
  name: 'isabelle',
  version: () => Promise.reject(unavailable('Build with Isabelle')),
  audit: () => Promise.reject(unavailable('Soundness audit')),
  fingerprint: () => Promise.reject(unavailable('Statement probe')),
};
