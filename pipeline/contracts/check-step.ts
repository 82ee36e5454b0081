import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { ContractReport } from '../../schemas/contract-report.ts';
import { checkConforms } from '../../stages/contract/conforms.ts';
import type { Difference } from '../../stages/contract/explain-report.ts';
import { byPrimary } from '../../stages/contract/reason-codes.ts';
import { differencesOf } from './differences.ts';
import type { Step } from './load-step.ts';
import { fromProposal } from './reference.ts';

/** The verdict on one candidate. `report` is null where a proposal made no tree at all. */
export type Checked = {
  readonly verdict: 'conforms' | 'violates' | 'invalid';
  readonly report: ContractReport | null;
  readonly reasons: ContractReport['reasons'];
  readonly differences: readonly Difference[];
  readonly discarded: readonly string[];
  readonly build: Partial<ContractBuild> & Pick<ContractBuild, 'status'>;
  /** The candidate that was judged, null where there is no tree. */
  readonly candidate: string | null;
};

const notBuilt = { status: 'not-run' } as const;

const invalid = (reasons: ContractReport['reasons']): Checked => ({
  verdict: 'invalid',
  report: null,
  reasons: byPrimary(reasons),
  differences: [],
  discarded: [],
  build: notBuilt,
  candidate: null,
});

/** The verdict on a candidate that is at hand, by its manifest's digest. */
export function judgeTree(step: Step, candidate: string, discarded: readonly string[]): Checked {
  const { contract, base, blobs, parse } = step;
  const report = checkConforms({ contract, base, candidate, read: blobs.get, parse });
  const { conforms, conjuncts, reasons } = report;
  const verdict = !conjuncts.tree ? 'invalid' : conforms ? 'conforms' : 'violates';
  return {
    verdict,
    report,
    reasons,
    differences: differencesOf(report, blobs),
    discarded,
    build: notBuilt,
    candidate: conjuncts.tree ? candidate : null,
  };
}

/** A candidate in a folder or a git object against the contract. */
export async function checkTree(step: Step, place: string): Promise<Checked> {
  const { contract, base, blobs, trees } = step;
  const entries = [...blobs.entries(base).values()];
  const options = {
    excludeDirs: contract.base.exclude_dirs ?? [],
    discard: contract.base.discard ?? [],
    isCandidate: true,
    base: entries,
    // What is larger than the base and all that may be added to it is refused before it is read.
    maxBytes: entries.reduce((sum, { size }) => sum + size, contract.limits.candidate_bytes),
  };
  const found = await trees.open(place, options, '--candidate');
  if ('problems' in found) return invalid([...found.problems]);
  return judgeTree(step, blobs.tree(found), found.discarded);
}

/** A proposal in a JSON file against the contract. */
export function checkProposal(step: Step, path: string): Checked {
  const made = fromProposal(path, step, step.blobs);
  if (made.ok) return judgeTree(step, made.tree, []);
  return invalid([{ code: made.code, path: null, at: null, detail: made.detail }]);
}
