import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { FileChange, Seed } from '../../schemas/seed.ts';
import type { GoldPart, OverlayFile } from '../../schemas/task.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import type { Context, Repo } from '../context.ts';
import { applyStep } from '../trees/compose.ts';
import { importCommit } from '../trees/import-commit.ts';
import { changeTree, entriesByPath, isFile, readTree } from '../trees/trees.ts';
import { isRunnable } from './test-files.ts';

export type DraftTrees = {
  /** The tree of the commit that the draft starts from, as it stands in the source. */
  readonly commit: string;
  readonly base: string;
  readonly gold: readonly GoldPart[];
  readonly overlay: readonly OverlayFile[];
  readonly files: readonly string[];
  readonly regression: readonly string[];
};

type Step = { readonly seed: Seed; readonly before: string; readonly after: string };

/** Where a group's diffs do not come out cleanly. */
export type BaseConflict = { readonly conflict: string };

/**
 * Base and gold of a group of merged changes (oldest first): the tree at the last head with the group's source changes
 * taken out again, newest first, so that unrelated commits in between stay. Each part is the step that its seed's change
 * makes on the tree before it. Tests and documents of the group are taken out of the base as far as they come out.
 */
export async function historyTrees(
  seeds: readonly Seed[],
  spec: EnvironmentSpec,
  repo: Repo,
  context: Context,
): Promise<DraftTrees | BaseConflict> {
  const steps = await importSteps(seeds, repo, context);
  const head = steps.at(-1)?.after ?? '';
  const chain = await takeOut(steps, head, context);
  if ('conflict' in chain) return chain;
  const hidden = await withoutTests(steps, head, context);
  const trees = chain.trees.map((tree) =>
    changeTree(context.ledger, tree, hidden.changed, hidden.removed),
  );
  const gold = seeds.map((_, index) => part(index, trees));
  return { commit: head, base: trees[0] ?? head, gold, ...testsAtHead(seeds, head, spec, context) };
}

function part(index: number, trees: readonly string[]): GoldPart {
  const [before = '', after = ''] = trees.slice(index, index + 2);
  return { id: `g${index + 1}`, needs: [`R${index + 1}`], before, after };
}

async function importSteps(
  seeds: readonly Seed[],
  repo: Repo,
  { ledger }: Context,
): Promise<readonly Step[]> {
  const known = new Map<string, TreeEntry>();
  const steps: Step[] = [];
  for (const seed of seeds) {
    const before = await importCommit(repo, seed.change.base, ledger, known);
    const after = await importCommit(repo, seed.change.head, ledger, known);
    steps.push({ seed, before, after });
  }
  return steps;
}

/** Trees from base to head; the last is the head itself. */
async function takeOut(
  steps: readonly Step[],
  head: string,
  context: Context,
): Promise<{ readonly trees: readonly string[] } | BaseConflict> {
  const trees = [head];
  for (const { seed, before, after } of steps.toReversed()) {
    const paths = pathsOf(seed.change.source);
    const step = await applyStep(trees[0] ?? head, after, before, context, (path) =>
      paths.has(path),
    );
    if (!step.ok) return { conflict: `${seed.id} does not come out of ${step.path}` };
    trees.unshift(step.tree);
  }
  return { trees };
}

const DOCUMENT = /(\.(md|rst|txt|adoc)|(^|\/)(CHANGES|CHANGELOG|HISTORY|NEWS)[^/]*)$/i;

/** The group's tests and documents as they were before it: what a solver may see of them. */
async function withoutTests(
  steps: readonly Step[],
  head: string,
  context: Context,
): Promise<{ readonly changed: readonly TreeEntry[]; readonly removed: readonly string[] }> {
  const changed: TreeEntry[] = [];
  const removed: string[] = [];
  const tests = new Set(steps.flatMap(({ seed }) => [...pathsOf(seed.change.tests)]));
  const documents = steps.flatMap(({ seed }) => [...pathsOf(seed.change.other)]);
  for (const path of new Set([...tests, ...documents.filter((path) => DOCUMENT.test(path))])) {
    const entry = await earlier(path, steps, head, context, tests.has(path));
    if (entry === 'keep') continue;
    if (entry === null) removed.push(path);
    else changed.push(entry);
  }
  return { changed, removed };
}

/** A path before the group: taken out, else as the oldest seed that touched it found it (tests), else kept (documents). */
async function earlier(
  path: string,
  steps: readonly Step[],
  head: string,
  context: Context,
  isTest: boolean,
): Promise<TreeEntry | null | 'keep'> {
  const touching = steps.filter(({ seed }) => touches(seed, path));
  let tree = head;
  for (const { before, after } of touching.toReversed()) {
    const step = await applyStep(tree, after, before, context, (candidate) => candidate === path);
    if (!step.ok) {
      if (!isTest) return 'keep';
      tree = touching[0]?.before ?? tree;
      break;
    }
    tree = step.tree;
  }
  return entriesByPath(readTree(context.ledger, tree)).get(path) ?? null;
}

const touches = ({ change }: Seed, path: string): boolean =>
  [...change.tests, ...change.other].some((candidate) => candidate.path === path);
const pathsOf = (changes: readonly FileChange[]): Set<string> =>
  new Set(changes.map(({ path }) => path));

function testsAtHead(
  seeds: readonly Seed[],
  head: string,
  spec: EnvironmentSpec,
  { ledger }: Context,
): Pick<DraftTrees, 'overlay' | 'files' | 'regression'> {
  const entries = readTree(ledger, head).filter(isFile);
  const brought = new Set(seeds.flatMap(({ change }) => [...pathsOf(change.tests)]));
  const overlay = entries
    .filter(({ path }) => brought.has(path))
    .map(({ path, sha256 }) => ({ path, sha256 }));
  const runnable = entries.map(({ path }) => path).filter((path) => isRunnable(path, spec));
  return {
    overlay,
    files: runnable.filter((path) => brought.has(path)),
    regression: runnable.filter((path) => !brought.has(path)),
  };
}
