import { z } from 'zod';
import { EnvironmentSpec } from '../schemas/environment.ts';
import { Kept } from '../schemas/kept.ts';
import { Seed, SeedEdge } from '../schemas/seed.ts';
import { AuthoredDraft } from '../schemas/seed-pack.ts';
import { Source } from '../schemas/source.ts';
import { Task } from '../schemas/task.ts';
import type { Context } from './context.ts';
import { canonicalJson, sha256 } from './contract/canonical-json.ts';
import { assembleTask } from './draft/assemble.ts';
import { authoredTrees } from './draft/authored-trees.ts';
import { checkDraft } from './draft/check-draft.ts';
import { checkStatement } from './draft/check-statement.ts';
import { historyTrees } from './draft/history-trees.ts';
import { readCode } from './draft/read-code.ts';
import { couplingsOf, requirementsOf } from './draft/requirements.ts';
import { testNamesIn } from './miners/test-names.ts';
import { defineStage, done, reject } from './stage.ts';

/** Quoted texts by name, as blobs: `thread:12`, `thread:12#3`, `commit:<hash>`. */
const Docs = z.array(z.strictObject({ doc: z.string(), sha256: z.string() }));

export const draft = defineStage({
  name: 'draft',
  needs: {
    source: Source,
    spec: EnvironmentSpec,
    seeds: z.array(Seed),
    edges: z.array(SeedEdge),
    docs: Docs,
    authored: AuthoredDraft.nullable(),
  },
  gives: { task: Task, kept: Kept },
  async run({ source, spec, seeds, edges, docs, authored }, context: Context) {
    const { ledger } = context;
    if (authored === null && seeds.length < 2)
      return reject('too-few-seeds', `need 2 to couple, got ${seeds.length}`);
    const repo = context.repo(source.name);
    const trees =
      authored === null
        ? await historyTrees(seeds, spec, repo, context)
        : await authoredTrees(authored, spec, repo, context);
    if ('conflict' in trees) return reject('base-conflict', trees.conflict);

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
      return reject(
        'statement-leak',
        `${silent.id} has no sentence left that does not leak the fix`,
      );

    const couplings = authored?.couplings ?? couplingsOf(seeds, edges);
    const traces = authored?.tests.traces ?? [];
    const invalid = checkDraft(
      { requirements, couplings, parts: trees.gold, traces, files: trees.files },
      (doc) => textOf(docs, doc, ledger.get),
    );
    if (invalid !== null) return { kind: 'rejected', rejection: invalid };

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
    if (bad !== null) return { kind: 'rejected', rejection: bad };
    return done({ task, kept: emptyKept(task) });
  },
});

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

function textOf(
  docs: z.infer<typeof Docs>,
  name: string,
  get: (sha256: string) => Uint8Array,
): string | null {
  const found = docs.find(({ doc }) => doc === name);
  return found === undefined ? null : new TextDecoder().decode(get(found.sha256));
}

const seedsQuoted = (clauses: Task['requirements'][number]['clauses']): string[] => [
  ...new Set(clauses.flatMap(({ quotes }) => quotes.map(({ seed }) => seed))),
];

const emptyKept = (task: Task): Kept => ({
  wrong: [],
  right: [],
  answered: [],
  repairs: [],
  lineage: [
    {
      revision: 0,
      parent: null,
      content: sha256(new TextEncoder().encode(canonicalJson(task))),
      cause: 'drafted',
      edited: [],
      verdicts: [],
    },
  ],
});
