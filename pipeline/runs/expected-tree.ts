import type { TestRunRequest } from '../../schemas/test-run.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import type { Box } from '../../stages/context.ts';

/** A file or link as it must lie in the work folder: its bytes are the blob of that name, or its own where they are given. */
export type Laid = {
  readonly path: string;
  readonly kind: 'file' | 'exec' | 'link';
  readonly sha256: string;
  readonly size: number | null;
  readonly bytes?: Uint8Array;
};
type Overlay = TestRunRequest['overlay'];

/** Whether one path is the other, or a folder above it. */
const covers = (above: string, path: string) => above === path || path.startsWith(`${above}/`);

/** The tree's own part: what the overlay replaces, and what stands in its way, is left out. Folders come by themselves. */
export function treePart(entries: readonly TreeEntry[], overlay: Overlay): Laid[] {
  const taken = new Set(overlay.map(({ path }) => path));
  const isInTheWay = (path: string) =>
    taken.has(path) || overlay.some((file) => covers(path, file.path) || covers(file.path, path));
  return entries.flatMap(({ path, kind, sha256, size }) =>
    kind === 'gitlink' || kind === 'dir' || isInTheWay(path) ? [] : [{ path, kind, sha256, size }],
  );
}

/** The overlay's files. */
export const overlayPart = (overlay: Overlay): Laid[] =>
  overlay.map(({ path, sha256 }) => ({ path, kind: 'file', sha256, size: null }));

/** Paths that were laid down and are no longer what they were, sorted. New files are no drift: caches, logs. */
export function driftOf(laid: readonly Laid[], after: Awaited<ReturnType<Box['tree']>>): string[] {
  const found = new Map(after.map((entry) => [entry.path, entry]));
  return laid
    .filter(({ path, kind, sha256 }) => {
      const now = found.get(path);
      return now?.kind !== kind || now.sha256 !== sha256;
    })
    .map(({ path }) => path)
    .toSorted();
}
