import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { problem, type ReadOptions } from './tree-on-hand.ts';

const MAX_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * Counts the files of one tree by their sizes; says for each, before it is read, whether it is the one too many.
 * `base` is the base by path.
 */
export function sizeLimits(
  { maxBytes = MAX_BYTES, maxChangedBytes = MAX_BYTES }: ReadOptions,
  base: ReadonlyMap<string, TreeEntry>,
): (path: string, size: number) => Reason | null {
  let [total, changed] = [0, 0];
  return (path, size) => {
    total += size;
    if (total > maxBytes)
      return problem(
        'tree.too-large',
        path,
        `${total} bytes or more, at most ${maxBytes} fit: the base and limits.candidate_bytes`,
      );
    // Of another size is of other bytes, which can be said without reading any of them.
    if (base.get(path)?.size === size) return null;
    changed += size;
    if (changed <= maxChangedBytes) return null;
    const detail = `${changed} bytes changed or more, at most ${maxChangedBytes} fit`;
    return problem('tree.too-large', path, detail);
  };
}

/** A tree's entries by path. */
export const byPath = (entries: readonly TreeEntry[] = []): ReadonlyMap<string, TreeEntry> =>
  new Map(entries.map((entry) => [entry.path, entry]));
