import type { Contract } from '../../schemas/contract.ts';
import { readTree } from '../contract/conforms.ts';
import { manifestText } from '../contract/manifest.ts';
import { ancestorsOf } from '../contract/paths.ts';
import { applyBodies } from './apply-bodies.ts';
import { applyEdits } from './apply-edits.ts';
import { type Base, type Blobs, type Changes, type Refused, refuse } from './changes.ts';
import type { Proposal } from './proposal.ts';

/** A candidate tree by its manifest's digest, or why there is none. */
export type Made = { readonly ok: true; readonly tree: string } | Refused;

const sizes = (changes: Changes) =>
  [...changes].map(([path, bytes]) => ({ path, size: bytes?.length ?? 0 }));

function tooLarge(changes: Changes, limit: number) {
  const list = sizes(changes).toSorted((left, right) => right.size - left.size);
  const total = list.reduce((sum, { size }) => sum + size, 0);
  if (total <= limit) return null;
  const biggest = list.slice(0, 3).map(({ path, size }) => `${path} (${size})`);
  return refuse(
    'too-large',
    `${total} bytes changed, at most ${limit} fit; the biggest: ${biggest.join(', ')}`,
  );
}

function nesting(tree: Base) {
  for (const path of tree.keys()) {
    const above = ancestorsOf(path).find((folder) => tree.has(folder));
    if (above !== undefined)
      return refuse('path', `"${path}" lies below "${above}", which is no folder`);
  }
  return null;
}

function treeOf(base: Base, changes: Changes, blobs: Blobs): Made {
  const tree = new Map(base);
  for (const [path, bytes] of changes) {
    const kind = base.get(path)?.kind === 'exec' ? 'exec' : 'file';
    if (bytes === null) tree.delete(path);
    else tree.set(path, { path, kind, size: bytes.length, sha256: blobs.put(bytes) });
    for (const folder of ancestorsOf(path))
      if (tree.get(folder)?.kind === 'dir') tree.delete(folder);
  }
  const nested = nesting(tree);
  return nested ?? { ok: true, tree: blobs.put(manifestText([...tree.values()])) };
}

/**
 * The tree that a proposal makes of the base, byte for byte, or why it makes none. Edits apply to the base at once; any path
 * may be named, since the projection judges. A body without a final line end gets one; nothing else is normalised.
 */
export function makeCandidate(
  { contract, base }: { readonly contract: Contract; readonly base: string },
  proposal: Proposal,
  blobs: Blobs,
): Made {
  const tree = readTree(base, blobs.get);
  const changes =
    proposal.kind === 'edits'
      ? applyEdits(tree, proposal.value, blobs)
      : applyBodies(tree, contract, proposal.value, blobs);
  if ('ok' in changes) return changes;
  return tooLarge(changes, contract.limits.candidate_bytes) ?? treeOf(tree, changes, blobs);
}
