import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { AuthoredDraft } from '../../schemas/seed-pack.ts';
import type { GoldPart, Probe, Solo, Variant } from '../../schemas/task.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import type { Context, Ledger, Repo } from '../context.ts';
import { importCommit } from '../trees/import-commit.ts';
import { changeTree, readTree } from '../trees/trees.ts';
import type { DraftTrees } from './history-trees.ts';
import { isRunnable } from './test-files.ts';

type Files = readonly { readonly path: string; readonly sha256: string }[];

export type AuthoredTrees = DraftTrees & {
  readonly solos: readonly Solo[];
  readonly probes: readonly Probe[];
  readonly variants: readonly Variant[];
};

/** Trees of a draft that was written for a pack: its files on top of the base, part by part. */
export async function authoredTrees(
  draft: AuthoredDraft,
  spec: EnvironmentSpec,
  repo: Repo,
  { ledger }: Context,
): Promise<AuthoredTrees> {
  const base = await importCommit(repo, draft.base, ledger);
  const onBase = (files: Files) => lay(ledger, base, files);
  const brought = new Set(draft.tests.files.map(({ path }) => path));
  const present = readTree(ledger, base).map(({ path }) => path);
  return {
    commit: base,
    base,
    gold: goldOf(draft, base, ledger),
    overlay: draft.tests.files,
    files: [...brought].filter((path) => isRunnable(path, spec)).toSorted(),
    regression: present.filter((path) => isRunnable(path, spec) && !brought.has(path)),
    solos: draft.solos.map(({ requirement, files }) => ({
      requirement,
      tree: onBase(files),
      by: 'authored' as const,
      entrant: 'pack',
      request: null,
    })),
    probes: draft.probes.map(({ id, clause, path, sha256 }) => ({
      id,
      clause,
      file: { path, sha256 },
    })),
    variants: draft.variants.map(({ id, claim, files }) => ({
      id,
      claim,
      tree: onBase(files),
      by: 'authored' as const,
    })),
  };
}

function goldOf({ parts }: AuthoredDraft, base: string, ledger: Ledger): readonly GoldPart[] {
  const gold: GoldPart[] = [];
  for (const { id, needs, files, delete: removed } of parts) {
    const before = gold.at(-1)?.after ?? base;
    gold.push({ id, needs, before, after: lay(ledger, before, files, removed) });
  }
  return gold;
}

/** Files laid over a tree; one that was executable stays so. */
function lay(ledger: Ledger, tree: string, files: Files, removed: readonly string[] = []): string {
  const kinds = new Map(readTree(ledger, tree).map(({ path, kind }) => [path, kind]));
  const entries = files.map(
    ({ path, sha256 }): TreeEntry => ({
      path,
      kind: kinds.get(path) === 'exec' ? 'exec' : 'file',
      size: ledger.get(sha256).length,
      sha256,
    }),
  );
  return changeTree(ledger, tree, entries, removed);
}
