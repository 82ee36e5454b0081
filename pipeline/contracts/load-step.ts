import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { lintContract } from '../../stages/contract/lint.ts';
import { byPrimary } from '../../stages/contract/reason-codes.ts';
import { openParse } from '../parsing/tree-sitter.ts';
import { openTrees, type Trees } from '../trees/open-tree.ts';
import { type BlobStore, blobStore } from './blob-store.ts';
import { contractProblem } from './contract-problem.ts';
import { contractBytes, parseContract } from './read-contract.ts';

export type Step = {
  readonly name: string;
  readonly contract: Contract;
  readonly base: string;
  /** Digest of the contract file: a file of the base with these bytes is the contract itself. */
  readonly own: string;
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
  const found = await trees.open(place, { excludeDirs }, '--base');
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
  const bytes = contractBytes(path);
  const read = parseContract(bytes, path, { isBasePinned: pinBase });
  const [trees, blobs] = [openTrees(), blobStore()];
  const base = await loadBase(path, read, place, trees, blobs);
  const contract = pinBase ? { ...read, base: { ...read.base, manifest: `sha256:${base}` } } : read;
  const own = sha256(bytes);
  return { name: path, contract, base, own, blobs, trees, parse: await openParse() };
}

/** A contract that may be changed under itself would be another one at the next check. */
function ownReasons({ contract, base, own, blobs }: Step): Reason[] {
  const tree = blobs.entries(base);
  const named = [...contract.editable.map(({ file }) => file), ...contract.delete];
  const lifted = new Set(contract.override.map(({ path }) => path));
  return named
    .filter((path) => tree.get(path)?.sha256 === own && !lifted.has(path))
    .map((path) => ({
      code: 'contract.protected-path',
      path,
      at: null,
      detail: 'the contract itself, and no override',
    }));
}

/** What the lint says of a step. */
export const lintStep = (step: Step): Reason[] =>
  byPrimary([
    ...lintContract(step.contract, step.base, step.blobs.get, step.parse),
    ...ownReasons(step),
  ]);

/** Stops where the lint finds anything: no candidate is judged under an unsound contract. */
export function assertSound(step: Step): void {
  const reasons = lintStep(step);
  if (reasons.length === 0) return;
  throw contractProblem(
    step.name,
    reasons.map(({ code, path, detail }) => ({ code, at: path ?? step.name, detail })),
  );
}
