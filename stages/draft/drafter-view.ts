import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { Seed, SeedEdge } from '../../schemas/seed.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import type { Ledger } from '../context.ts';
import { matchesAny } from '../environments/glob.ts';
import { isFile, readTree } from '../trees/trees.ts';

type Shown = { readonly label: string; readonly text: string };

/** What a drafter gets to see of base and seeds. */
export type DrafterView = {
  readonly seeds: string;
  readonly ties: string;
  readonly docs: readonly Shown[];
  readonly conventions: string;
  readonly files: readonly Shown[];
  readonly listing: string;
};

/** Most bytes of one file, of all files, of one document and of all; most paths that are listed. */
export const viewLimits = {
  file: 48 * 1024,
  files: 128 * 1024,
  doc: 8 * 1024,
  docs: 32 * 1024,
  paths: 300,
} as const;

type Facts = {
  readonly seeds: readonly Seed[];
  readonly edges: readonly SeedEdge[];
  readonly docs: readonly { readonly doc: string; readonly sha256: string }[];
  readonly spec: EnvironmentSpec;
  /** The base tree, and ids of tests that it reports. */
  readonly tree: string;
  readonly ids: readonly string[];
};

/** Statements of the seeds, the files that they touched first, and how the repository is tested; bounded by bytes. */
export function drafterView(facts: Facts, ledger: Ledger): DrafterView {
  const { seeds } = facts;
  return {
    seeds: seeds.map(seedText).join('\n\n'),
    ties: tiesOf(seeds, facts.edges)
      .map(({ from, to, why }) => `${from} and ${to}: ${why}`)
      .join('\n'),
    docs: docsOf(facts, ledger),
    conventions: conventionsOf(facts),
    ...filesOf(facts, ledger),
  };
}

function seedText(seed: Seed, index: number): string {
  const lines = seed.statements.map(({ doc, quote }) => `- ${doc}: ${quote}`);
  return [`Seed of R${index + 1}: ${seed.title}`, ...new Set(lines)].join('\n');
}

/** Every pair of requirements whose seeds the graph joins, with what joins them. */
export function tiesOf(
  seeds: readonly Seed[],
  edges: readonly SeedEdge[],
): readonly { readonly from: string; readonly to: string; readonly why: string }[] {
  return seeds.flatMap((left, at) =>
    seeds.slice(at + 1).flatMap((right, below) => {
      const joining = edges.filter(
        ({ from, to }) => [left.id, right.id].includes(from) && [left.id, right.id].includes(to),
      );
      if (joining.length === 0) return [];
      const why = joining.map(({ kind, evidence }) => `${kind} (${evidence})`).join('; ');
      return [{ from: `R${at + 1}`, to: `R${at + below + 2}`, why }];
    }),
  );
}

function docsOf({ docs }: Facts, ledger: Ledger): readonly Shown[] {
  let room: number = viewLimits.docs;
  return docs.flatMap(({ doc, sha256 }) => {
    const bytes = ledger.get(sha256).subarray(0, Math.min(viewLimits.doc, room));
    room -= bytes.length;
    const text = new TextDecoder().decode(bytes).replace(/\ufffd$/u, '');
    return text === '' ? [] : [{ label: doc, text }];
  });
}

function conventionsOf({ spec, ids }: Facts): string {
  const { language, runner, testFiles, sourceFiles } = spec;
  return [
    `Language ${language}, runner ${runner}.`,
    `Test files match ${testFiles.join(', ')}; source files match ${sourceFiles.join(', ')}.`,
    ...(ids.length === 0 ? ['The repository has no test of its own.'] : ['Ids of its own tests:']),
    ...ids.map((id) => `- ${id}`),
  ].join('\n');
}

/** Files that seeds touched, source before tests and what more seeds touched first; then their neighbours, then the rest. */
function ranked({ seeds, spec, tree }: Facts, ledger: Ledger): readonly TreeEntry[] {
  const entries = readTree(ledger, tree).filter(isFile);
  const touched = (path: string) =>
    seeds.filter(({ change }) => [...change.source, ...change.tests].some((c) => c.path === path))
      .length;
  const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const folders = new Set(
    entries
      .map(({ path }) => path)
      .filter(touched)
      .map(folderOf),
  );
  const rank = ({ path }: TreeEntry) => {
    const kind = matchesAny(path, spec.testFiles) ? 1 : matchesAny(path, spec.sourceFiles) ? 0 : 2;
    const near = folders.has(folderOf(path)) ? 0 : 3;
    return touched(path) > 0 ? kind - 10 - touched(path) / 10 : kind + near;
  };
  return entries.toSorted((left, right) => rank(left) - rank(right));
}

const NEVER = /(?:^|\/)(?:[^/]*lock[^/]*\.(?:json|ya?ml|toml)|[^/]*\.(?:lock|svg|min\.js|map))$/u;

function filesOf(
  facts: Facts,
  ledger: Ledger,
): { readonly files: readonly Shown[]; readonly listing: string } {
  let room: number = viewLimits.files;
  const files: Shown[] = [];
  const named: string[] = [];
  for (const { path, size, sha256 } of ranked(facts, ledger)) {
    const fits = size <= Math.min(room, viewLimits.file) && !NEVER.test(path);
    const bytes = fits ? ledger.get(sha256) : null;
    if (bytes === null || bytes.includes(0)) named.push(path);
    else {
      room -= size;
      files.push({ label: path, text: new TextDecoder().decode(bytes) });
    }
  }
  const more = named.length - viewLimits.paths;
  const listed = named.toSorted().slice(0, viewLimits.paths);
  return { files, listing: [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('\n') };
}
