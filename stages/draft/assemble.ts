import type { Coupling } from '../../schemas/coupling.ts';
import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { Requirement } from '../../schemas/requirement.ts';
import type { Seed } from '../../schemas/seed.ts';
import type { AuthoredDraft } from '../../schemas/seed-pack.ts';
import type { Source } from '../../schemas/source.ts';
import type { Task } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { digestOf } from '../contract/canonical-json.ts';
import { draftContract } from '../contract/draft-contract.ts';
import { changedPaths, readTree } from '../trees/trees.ts';
import type { AuthoredTrees } from './authored-trees.ts';
import { fitContract } from './fit-contract.ts';
import type { DraftTrees } from './history-trees.ts';
import { statementOf } from './statement.ts';

type Draft = {
  readonly source: Source;
  readonly spec: EnvironmentSpec;
  readonly seeds: readonly Seed[];
  readonly authored: AuthoredDraft | null;
  readonly trees: DraftTrees | AuthoredTrees;
  readonly requirements: readonly Requirement[];
  readonly couplings: readonly Coupling[];
  readonly traces: Task['tests']['traces'];
};

/** The task that a sound draft makes, with the edit authority around its gold. */
export function assembleTask(draft: Draft, context: Context): Task {
  const { source, spec, seeds, authored, trees, requirements, couplings, traces } = draft;
  const id = taskId(source.name, seeds, authored);
  const written = 'solos' in trees ? trees : { solos: [], probes: [], variants: [] };
  const last = seeds.at(-1);
  return {
    id,
    revision: 0,
    mode: authored === null ? 'history' : 'forward',
    source: source.name,
    seeds: [...new Set(requirements.flatMap((requirement) => requirement.seeds))],
    statement: statementOf(titleOf(source.name, requirements), requirements, couplings),
    requirements: [...requirements],
    couplings: [...couplings],
    base: {
      commit: authored?.base ?? last?.change.head ?? '',
      commitTree: trees.commit,
      tree: trees.base,
      createdAt: last?.facts.mergedAt ?? '',
    },
    gold: [...trees.gold],
    tests: {
      overlay: [...trees.overlay],
      files: [...trees.files],
      regression: [...trees.regression],
      traces: [...traces],
    },
    environment: spec,
    contract: contractOf(id, trees, spec, authored, context),
    solos: [...written.solos],
    probes: [...written.probes],
    variants: [...written.variants],
  };
}

function contractOf(
  id: string,
  trees: DraftTrees,
  spec: EnvironmentSpec,
  authored: AuthoredDraft | null,
  { ledger, parse }: Context,
): Task['contract'] {
  const gold = trees.gold.at(-1)?.after ?? trees.base;
  const { contract } = draftContract({
    id: id.replaceAll(/[^a-z0-9-]/g, '-').slice(0, 64),
    base: trees.base,
    entries: readTree(ledger, trees.base),
    goldPaths: changedPaths(ledger, trees.base, gold),
    testGlobs: spec.testFiles,
    sourceGlobs: spec.sourceFiles,
    regions: authored?.regions ?? [],
  });
  if (authored !== null) return contract;
  return fitContract(contract, { base: trees.base, gold, read: ledger.get, parse });
}

function taskId(source: string, seeds: readonly Seed[], authored: AuthoredDraft | null): string {
  if (authored !== null) return `${source}-${authored.id}`;
  return `${source}-h${digestOf(seeds.map(({ id }) => id)).slice(0, 8)}`;
}

const titleOf = (source: string, requirements: readonly Requirement[]): string =>
  `${source}: ${requirements.length} requirements that meet`;
