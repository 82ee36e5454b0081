import type { Coupling } from '../../schemas/coupling.ts';
import { Task } from '../../schemas/task.ts';
import { draftContract } from '../../stages/contract/draft-contract.ts';
import { changedPaths, changeTree, keepFile, readTree } from '../../stages/trees/trees.ts';
import type { Bench } from '../../stages/validate/observe.ts';
import { type Play, type Story, storyContext } from './context.ts';
import type { MemoryLedger } from './memory-ledger.ts';
import { keepTree, requestFor, specFor } from './test-run.ts';

type Files = Readonly<Record<string, string>>;

/** A woven task in short: parts lie on each other in order; trees of solos and variants lie on the base. */
export type Cloth = {
  readonly base: Files;
  readonly parts: readonly { readonly needs: readonly string[]; readonly files: Files }[];
  readonly tests: Files;
  readonly regression?: readonly string[];
  readonly couplings?: readonly Coupling[];
  readonly traces?: Task['tests']['traces'];
  readonly solos?: readonly { readonly requirement: string; readonly files: Files }[];
  readonly variants?: readonly {
    readonly id: string;
    readonly claim: 'valid' | 'wrong';
    readonly files: Files;
  }[];
  readonly probes?: readonly {
    readonly id: string;
    readonly clause: string;
    readonly path: string;
  }[];
};

const encode = (text: string) => new TextEncoder().encode(text);

export const spec = specFor('node-test', { testFiles: ['test/**'], sourceFiles: ['src/**'] });

/** Where the stories' histories come from. */
export const littleSource = {
  name: 'little',
  kind: 'git' as const,
  origin: './little',
  url: null,
  head: 'c2',
  licence: 'MIT',
  licenceFiles: [],
};

const lay = (ledger: MemoryLedger, tree: string, files: Files): string =>
  changeTree(
    ledger,
    tree,
    Object.entries(files).map(([path, text]) => keepFile(ledger, path, encode(text))),
  );

function goldOf(ledger: MemoryLedger, base: string, parts: Cloth['parts']): Task['gold'] {
  const gold: Task['gold'] = [];
  for (const [index, { needs, files }] of parts.entries()) {
    const before = gold.at(-1)?.after ?? base;
    const after = lay(ledger, before, files);
    gold.push({ id: `g${index + 1}`, needs: [...needs], before, after });
  }
  return gold;
}

const requirement = (id: string): Task['requirements'][number] => ({
  id,
  title: `${id} holds`,
  clauses: [
    { id: `${id}.a`, text: `${id} must hold.`, quotes: [{ doc: 'd', quote: 'must', seed: id }] },
  ],
  seeds: [id],
  interface: [],
});

/** The task of a cloth, its bytes in the ledger. */
export function weave(ledger: MemoryLedger, cloth: Cloth): Task {
  const { parts, tests, regression = [], couplings = [], traces = [] } = cloth;
  const base = keepTree(ledger, cloth.base);
  const gold = goldOf(ledger, base, parts);
  const ids = [...new Set(parts.flatMap(({ needs }) => needs))].toSorted();
  const goldPaths = changedPaths(ledger, base, gold.at(-1)?.after ?? base);
  const { contract } = draftContract({
    id: 'woven',
    base,
    entries: readTree(ledger, base),
    goldPaths: [...goldPaths],
    testGlobs: spec.testFiles,
    sourceGlobs: spec.sourceFiles,
    regions: [],
  });
  const overlay = Object.entries(tests).map(([path, text]) => ({
    path,
    sha256: ledger.put(encode(text)),
  }));
  return Task.parse({
    id: 'woven',
    revision: 0,
    mode: 'forward',
    source: 'little',
    seeds: ids,
    statement: 'Both requirements must hold, alone and together.\n',
    requirements: ids.map(requirement),
    couplings,
    base: { commit: 'c', commitTree: base, tree: base, createdAt: '2026-01-01T00:00:00Z' },
    gold,
    tests: { overlay, files: Object.keys(tests).toSorted(), regression, traces },
    environment: spec,
    contract,
    solos: (cloth.solos ?? []).map(({ requirement: id, files }) => ({
      requirement: id,
      tree: lay(ledger, base, files),
      by: 'authored',
      entrant: 'pack',
      request: null,
    })),
    probes: (cloth.probes ?? []).map(({ id, clause, path }) => ({
      id,
      clause,
      file: { path, sha256: ledger.put(encode(`${id}\n`)) },
    })),
    variants: (cloth.variants ?? []).map(({ id, claim, files }) => ({
      id,
      claim,
      tree: lay(ledger, base, files),
      by: 'authored',
    })),
  });
}

export type Woven = Story & { readonly task: Task; readonly bench: Bench };

/** A cloth on the bench, its tests played by a function of the tree. */
export async function onBench(
  cloth: Cloth,
  play: Play,
  parts: Omit<NonNullable<Parameters<typeof storyContext>[0]>, 'play'> = {},
): Promise<Woven> {
  const story = await storyContext({ merges: true, ...parts, play });
  const task = weave(story.ledger, cloth);
  const { environment } = requestFor(spec);
  return { ...story, task, bench: { task, environment, context: story.context } };
}

/** Facts of a woven task as stages want them. */
export const factsOf = ({ task, bench }: Woven) => ({ task, environment: bench.environment });
