import type { Contract } from '../../schemas/contract.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { anyGlob } from './globs.ts';
import { isNeverEditable } from './never-editable.ts';
import { isOverridden } from './path-rules.ts';

type Tree = ReadonlyMap<string, TreeEntry>;

/**
 * The base with a candidate's entries at authorised paths and nowhere else. For a conforming candidate this changes nothing;
 * it is the grader's own belt, so that a protected byte can only come from the base.
 */
export function graft(contract: Contract, base: Tree, candidate: Tree): TreeEntry[] {
  const editable = new Set(contract.editable.map(({ file }) => file));
  const mayCreate = anyGlob(contract.create.map(({ glob }) => glob));
  const isOpen = (path: string) => !isNeverEditable(path) || isOverridden(contract, path);
  const kept = [...base.values()].flatMap((entry) => {
    const { path } = entry;
    const after = candidate.get(path);
    if (editable.has(path) && isOpen(path)) return [after ?? entry];
    return after === undefined && contract.delete.includes(path) && isOpen(path) ? [] : [entry];
  });
  const added = [...candidate.values()].filter(
    ({ path }) => !base.has(path) && mayCreate(path) && isOpen(path),
  );
  return [...kept, ...added];
}
