import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import { lintContract } from '../../stages/contract/lint.ts';
import { openParse } from '../parsing/tree-sitter.ts';
import { openTrees, type Trees } from '../trees/open-tree.ts';
import { type BlobStore, blobStore } from './blob-store.ts';
import { contractProblem } from './contract-problem.ts';
import { readContract } from './read-contract.ts';

export type Step = {
  readonly name: string;
  readonly contract: Contract;
  readonly base: string;
  readonly blobs: BlobStore;
  readonly trees: Trees;
  readonly parse: Awaited<ReturnType<typeof openParse>>;
};

/** The base as a tree, or a contract problem: what is no tree can be the base of nothing. */
async function loadBase(
  name: string,
  contract: Contract,
  place: string,
  trees: Trees,
  blobs: BlobStore,
) {
  const excludeDirs = contract.base.exclude_dirs ?? [];
  const found = await trees.open(place, { excludeDirs });
  if (!('problems' in found)) return blobs.tree(found);
  throw contractProblem(
    name,
    found.problems.map(({ code, path, detail }) => ({
      code: 'contract.base-invalid',
      at: path ?? place,
      detail: `${code}: ${detail}`,
    })),
  );
}

/** A contract with its base at hand. `pinBase`: the base that is given is the one that the contract is for. */
export async function loadStep(path: string, place: string, pinBase: boolean): Promise<Step> {
  const read = readContract(path);
  const [trees, blobs] = [openTrees(), blobStore()];
  const base = await loadBase(path, read, place, trees, blobs);
  const contract = pinBase ? { ...read, base: { ...read.base, manifest: `sha256:${base}` } } : read;
  return { name: path, contract, base, blobs, trees, parse: await openParse() };
}

/** What the lint says of a step. */
export const lintStep = ({ contract, base, blobs, parse }: Step): Reason[] =>
  lintContract(contract, base, blobs.get, parse);

/** Stops where the lint finds anything: no candidate is judged under an unsound contract. */
export function assertSound(step: Step): void {
  const reasons = lintStep(step);
  if (reasons.length === 0) return;
  throw contractProblem(
    step.name,
    reasons.map(({ code, path, detail }) => ({ code, at: path ?? step.name, detail })),
  );
}
