import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { Seed, SeedEdge } from '../../schemas/seed.ts';
import type { AuthoredDraft } from '../../schemas/seed-pack.ts';
import type { Source } from '../../schemas/source.ts';
import type { Task } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { testNamesIn } from '../miners/test-names.ts';
import type { Bound } from '../weave/pins.ts';
import { assembleTask } from './assemble.ts';
import { authoredTrees } from './authored-trees.ts';
import { checkDraft } from './check-draft.ts';
import { checkStatement } from './check-statement.ts';
import { historyTrees } from './history-trees.ts';
import { readCode } from './read-code.ts';
import { couplingsOf, requirementsOf } from './requirements.ts';

/** Quoted texts by name, as blobs: `thread:12`, `thread:12#3`, `commit:<hash>`. */
type Docs = readonly { readonly doc: string; readonly sha256: string }[];

/** What one draft is made of; `authored` is null where the history itself is the draft. */
export type DraftFacts = {
  readonly source: Source;
  readonly spec: EnvironmentSpec;
  readonly seeds: readonly Seed[];
  readonly edges: readonly SeedEdge[];
  readonly docs: Docs;
  readonly authored: AuthoredDraft | null;
};

type Drafted = { readonly task: Task; readonly bound: readonly Bound[] };

const rejected = (code: Rejection['code'], detail: string): Rejection => ({
  code,
  detail,
  evidence: [],
});

/** Gates 1 and 2: a task whose names and quotes are sound and whose statement neither leaks nor is silent. */
export async function draftTask(facts: DraftFacts, context: Context): Promise<Drafted | Rejection> {
  const { source, spec, seeds, edges, docs, authored } = facts;
  const { ledger } = context;
  const repo = context.repo(source.name);
  const trees =
    authored === null
      ? await historyTrees(seeds, spec, repo, context)
      : await authoredTrees(authored, spec, repo, context);
  if ('conflict' in trees) return rejected('base-conflict', trees.conflict);

  const code = readCode(trees.base, trees.gold, trees.overlay, spec, context);
  const requirements =
    authored === null
      ? requirementsOf(seeds, code)
      : authored.requirements.map((requirement) => ({
          ...requirement,
          seeds: seedsQuoted(requirement.clauses),
        }));
  const silent = requirements.find(({ clauses }) => clauses.length === 0);
  if (silent !== undefined)
    return rejected(
      'statement-leak',
      `${silent.id} has no sentence left that does not leak the fix`,
    );

  const couplings = authored?.couplings ?? couplingsOf(seeds, edges);
  const traces = authored?.tests.traces ?? [];
  const invalid = checkDraft(
    { requirements, couplings, parts: trees.gold, traces, files: trees.files },
    docReader(docs, ledger.get),
  );
  if (invalid !== null) return invalid;

  const task = assembleTask(
    { source, spec, seeds, authored, trees, requirements, couplings, traces },
    context,
  );
  const bad = checkStatement({
    ...code,
    statement: task.statement,
    commits: seeds.flatMap(({ change }) => [change.head, change.base]),
    testNames: testNamesOf(trees.overlay, ledger.get),
  });
  return bad ?? { task, bound: code.pins.bound };
}

/** What the hidden tests are called, and where they lie. */
function testNamesOf(
  overlay: readonly Task['tests']['overlay'][number][],
  get: (sha256: string) => Uint8Array,
): readonly string[] {
  const lines = overlay.flatMap(({ sha256: name }) =>
    new TextDecoder().decode(get(name)).split('\n'),
  );
  return [...testNamesIn(lines), ...overlay.map(({ path }) => path)];
}

/** The text of a quoted document by its name; null for one that the record does not hold. */
export const docReader =
  (docs: Docs, get: (sha256: string) => Uint8Array) =>
  (name: string): string | null => {
    const found = docs.find(({ doc }) => doc === name);
    return found === undefined ? null : new TextDecoder().decode(get(found.sha256));
  };

const seedsQuoted = (clauses: Task['requirements'][number]['clauses']): string[] => [
  ...new Set(clauses.flatMap(({ quotes }) => quotes.map(({ seed }) => seed))),
];
