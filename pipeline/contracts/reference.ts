import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Contract } from '../../schemas/contract.ts';
import { BodyProposal, EditsProposal } from '../../schemas/proposal.ts';
import { readTree } from '../../stages/contract/conforms.ts';
import { utf8 } from '../../stages/contract/text.ts';
import { makeCandidate } from '../../stages/solve/candidate.ts';
import type { Proposal } from '../../stages/solve/proposal.ts';
import { pathText } from '../config/parse-yaml.ts';
import { flagError } from '../config/usage-problem.ts';
import { materialise } from '../trees/materialise.ts';
import { readDirectory } from '../trees/read-directory.ts';
import type { TreeOnHand } from '../trees/tree-on-hand.ts';
import type { BlobStore } from './blob-store.ts';
import { namedFile } from './read-contract.ts';

/** A candidate by its manifest's digest, or the code for which a proposal makes none. */
export type MadeCandidate =
  | { readonly ok: true; readonly tree: string }
  | { readonly ok: false; readonly code: string; readonly detail: string };

const MAX_BYTES = 256 * 1024 * 1024;

function bytesOf(path: string, flag: string): Uint8Array {
  const bytes = namedFile(path, MAX_BYTES, flag);
  if ('length' in bytes) return bytes;
  throw flagError(flag, `a file of at most ${MAX_BYTES} bytes`, `"${path}" (${bytes.size} bytes)`);
}

const hasBodies = (value: unknown) =>
  typeof value === 'object' && value !== null && 'bodies' in value;

/** The proposal in a value, or what is wrong with it and where. */
function proposalOf(value: unknown): Proposal | { readonly wrong: string } {
  const body = BodyProposal.safeParse(value);
  if (body.success) return { kind: 'body', value: body.data };
  const edits = EditsProposal.safeParse(value);
  if (edits.success) return { kind: 'edits', value: edits.data };
  const { issues } = (hasBodies(value) ? body : edits).error;
  const told = issues.slice(0, 3).map(({ path, message }) => `${pathText(path)} ${message}`.trim());
  return { wrong: told.join('; ') };
}

/** The candidate that a proposal in a JSON file makes of the base. What is no proposal is an invalid candidate, not an error. */
export function fromProposal(
  path: string,
  step: { readonly contract: Contract; readonly base: string },
  blobs: BlobStore,
): MadeCandidate {
  const text = utf8(bytesOf(path, '--proposal'));
  if (text === null)
    return { ok: false, code: 'proposal.encoding', detail: `${path} is not UTF-8` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return { ok: false, code: 'proposal.syntax', detail: `${path} is not JSON: ${cause.message}` };
  }
  const proposal = proposalOf(value);
  if ('wrong' in proposal)
    return {
      ok: false,
      code: 'proposal.syntax',
      detail: `${path} is neither {"bodies":[…]} nor {"edits":[…],"create":[…],"delete":[…]}: ${proposal.wrong}`,
    };
  const made = makeCandidate(step, proposal, blobs);
  return made.ok ? made : { ok: false, code: made.code, detail: made.detail };
}

/** Git's own application of a patch, in a fresh copy of the base that is no repository. */
export async function fromPatch(path: string, base: string, blobs: BlobStore): Promise<TreeOnHand> {
  const patch = bytesOf(path, '--reference');
  const folder = await mkdtemp(join(tmpdir(), 'contract-reference-'));
  try {
    const entries = [...readTree(base, blobs.get).values()];
    await materialise(entries, blobs.get, folder);
    const env = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      GIT_CEILING_DIRECTORIES: tmpdir(),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    };
    try {
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
        cwd: folder,
        env,
        input: patch,
        stdio: ['pipe', 'ignore', 'pipe'],
      });
    } catch (error) {
      const said = String((error as { stderr?: Buffer }).stderr ?? error)
        .trim()
        .split('\n')[0];
      throw flagError('--reference', 'a patch that applies to the base', `"${path}" (${said})`);
    }
    const found = await readDirectory(folder, { base: entries });
    if ('problems' in found)
      throw flagError('--reference', 'a patch that leaves a tree', `${found.problems[0]?.code}`);
    // The folder goes, so the bytes are taken along.
    for (const { kind, sha256 } of found.entries)
      if (kind !== 'dir' && kind !== 'gitlink') blobs.put(found.read(sha256) ?? new Uint8Array());
    return { ...found, read: () => undefined };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
