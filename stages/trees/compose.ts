import type { TreeEntry } from '../../schemas/tree.ts';
import type { Context } from '../context.ts';
import { changedPaths, changeTree, entriesByPath, isFile, readTree } from './trees.ts';

/** The tree, or the first path whose three sides do not merge. */
export type Composed =
  | { readonly ok: true; readonly tree: string }
  | { readonly ok: false; readonly path: string };

/**
 * Apply the step `before` -> `after` to `onto`, path by path, as git merges.
 * With `before` and `after` exchanged the step is taken out again. `only` narrows the step to some paths.
 */
export async function applyStep(
  onto: string,
  before: string,
  after: string,
  context: Context,
  only: (path: string) => boolean = () => true,
): Promise<Composed> {
  const { ledger } = context;
  const sides = [before, onto, after].map((tree) => entriesByPath(readTree(ledger, tree)));
  const changed: TreeEntry[] = [];
  const removed: string[] = [];
  for (const path of changedPaths(ledger, before, after).filter(only)) {
    const [base, ours, theirs] = sides.map((side) => side.get(path));
    const merged = await mergeEntry(base, ours, theirs, context);
    if (merged === 'conflict') return { ok: false, path };
    if (merged === null) removed.push(path);
    else changed.push(merged);
  }
  return { ok: true, tree: changeTree(ledger, onto, changed, removed) };
}

type Side = TreeEntry | undefined;

/** null: the path is absent afterwards. */
async function mergeEntry(
  base: Side,
  ours: Side,
  theirs: Side,
  { ledger, patches }: Context,
): Promise<TreeEntry | null | 'conflict'> {
  if (isSame(ours, base)) return theirs ?? null;
  if (isSame(ours, theirs)) return ours ?? null;
  if (base === undefined || ours === undefined || theirs === undefined) return 'conflict';
  if (![base, ours, theirs].every(isFile)) return 'conflict';
  const [from, mine, other] = [base, ours, theirs].map(({ sha256 }) => ledger.get(sha256));
  if (from === undefined || mine === undefined || other === undefined) return 'conflict';
  const bytes = await patches.merge(from, mine, other);
  if (bytes === null) return 'conflict';
  const kind = theirs.kind === base.kind ? ours.kind : theirs.kind;
  return { ...ours, kind, size: bytes.length, sha256: ledger.put(bytes) };
}

const isSame = (left: Side, right: Side): boolean =>
  left?.sha256 === right?.sha256 && left?.kind === right?.kind;
