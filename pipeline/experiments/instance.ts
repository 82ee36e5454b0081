import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../../schemas/contract.ts';
import type { ExperimentPlan } from '../../schemas/experiment.ts';
import { BodyProposal, EditsProposal } from '../../schemas/proposal.ts';
import type { Parse } from '../../schemas/syntax.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { lintContract } from '../../stages/contract/lint.ts';
import { manifestText } from '../../stages/contract/manifest.ts';
import type { Proposal } from '../../stages/solve/proposal.ts';
import { flagError } from '../config/usage-problem.ts';
import { contractProblem } from '../contracts/contract-problem.ts';
import { namedFile, readContract } from '../contracts/read-contract.ts';
import { readDirectory } from '../trees/read-directory.ts';

type Blobs = { put(bytes: Uint8Array): string; get(sha256: string): Uint8Array };

/** One instance of a plan, with its trees in the blobs. */
export type LoadedInstance = {
  readonly id: string;
  readonly contract: Contract;
  readonly base: string;
  readonly reference: Proposal;
  readonly referenceSha256: string;
};

const MAX_REFERENCE = 64 * 1024 * 1024;

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
}

function proposalIn(path: string): { readonly proposal: Proposal; readonly sha256: string } {
  const bytes = namedFile(path, MAX_REFERENCE, 'instances');
  const value = 'length' in bytes ? jsonIn(bytes) : undefined;
  const body = BodyProposal.safeParse(value);
  const edits = EditsProposal.safeParse(value);
  const name = 'length' in bytes ? sha256(bytes) : '';
  if (body.success) return { proposal: { kind: 'body', value: body.data }, sha256: name };
  if (edits.success) return { proposal: { kind: 'edits', value: edits.data }, sha256: name };
  throw flagError('instances', 'a reference that is a proposal', `"${path}"`);
}

/** The base's folder, which the user named by its instance. */
async function baseIn(path: string) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw flagError('instances', 'a folder "base" beside the contract', `"${path}"`);
  return await readDirectory(path);
}

/** Contract, base and reference of one instance; every blob of the base is kept. Throws a contract problem where they do not fit. */
export async function loadInstance(
  folder: string,
  { id, path }: ExperimentPlan['instances'][number],
  blobs: Blobs,
  parse: Parse,
): Promise<LoadedInstance> {
  const place = join(folder, path);
  const contract = readContract(join(place, 'contract.yaml'), { flag: 'instances' });
  const found = await baseIn(join(place, 'base'));
  const stop = (faults: readonly { code: string; path: string | null; detail: string }[]) =>
    contractProblem(
      id,
      faults.map(({ code, path: at, detail }) => ({ code, at: at ?? id, detail })),
    );
  if ('problems' in found)
    throw stop(found.problems.map((one) => ({ ...one, code: 'contract.base-invalid' })));
  for (const { kind, sha256: name } of found.entries)
    if (kind !== 'dir' && kind !== 'gitlink') blobs.put(found.read(name) ?? new Uint8Array());
  const base = blobs.put(manifestText(found.entries));
  const unsound = lintContract(contract, base, blobs.get, parse);
  if (unsound.length > 0) throw stop(unsound);
  const { proposal, sha256: referenceSha256 } = proposalIn(join(place, 'reference.json'));
  return { id, contract, base, reference: proposal, referenceSha256 };
}
