import type { Contract } from '../../schemas/contract.ts';
import type { Verdict } from '../../schemas/verdict.ts';
import { digestOf, sha256 } from '../contract/canonical-json.ts';
import { languageOf } from '../draft/language.ts';
import { changeTree, entriesByPath, keepFile, readTree } from '../trees/trees.ts';
import { allFiles, type Bench } from '../validate/observe.ts';
import { type TestRegion, testRegion } from './test-region.ts';

/** A test that a verdict names, with the tree and the authority under which its body may be rewritten. */
export type Flagged = {
  readonly path: string;
  readonly file: Uint8Array;
  readonly region: TestRegion;
  readonly tree: string;
  readonly contract: Contract;
};

/** Where the flagged test stands: the runner says the line, the syntax says the body. null: it cannot be cut out. */
export async function flaggedTest(
  bench: Bench,
  gold: string,
  verdict: Verdict,
): Promise<Flagged | null> {
  const { task, environment, context } = bench;
  const request = {
    environment,
    tree: gold,
    overlay: task.tests.overlay,
    files: [...allFiles(task)].toSorted(),
    repeat: 0,
  };
  const { result } = await context.runs.run(request, context.signal);
  const found = result.report.results.find(({ id }) => id === verdict.target.test);
  const hidden = task.tests.overlay.find(({ path }) => path === found?.file);
  if (found === undefined || found.line === null || hidden === undefined) return null;
  const language = languageOf(hidden.path) ?? '';
  const file = context.ledger.get(hidden.sha256);
  const root = context.parse(language, file);
  const region = root === null ? null : testRegion(root, file, found.line, language);
  if (region === null) return null;
  const tree = layTests(bench, task.base.tree);
  return {
    path: hidden.path,
    file,
    region,
    tree,
    contract: contractOf(verdict, hidden.path, file, region, tree),
  };
}

/** The base with the hidden tests in place: the tree that a repair edits. */
function layTests({ task, context }: Bench, tree: string): string {
  const { ledger } = context;
  const entries = entriesByPath(readTree(ledger, tree));
  const files = task.tests.overlay.map(({ path, sha256: name }) =>
    keepFile(ledger, path, ledger.get(name), entries.get(path)?.kind ?? 'file'),
  );
  return changeTree(ledger, tree, files);
}

function contractOf(
  verdict: Verdict,
  path: string,
  file: Uint8Array,
  { start, end }: TestRegion,
  tree: string,
): Contract {
  const hash = (bytes: Uint8Array) => `sha256:${sha256(bytes)}`;
  const pack = languageOf(path) === 'python' ? 'py' : 'ts';
  return {
    contract: 1,
    id: `repair-${digestOf(verdict.id).slice(0, 12)}`,
    base: { manifest: `sha256:${tree}` },
    editable: [
      {
        id: 'r1',
        file: path,
        region: {
          bytes: [start, end],
          prefix: hash(file.subarray(0, start)),
          suffix: hash(file.subarray(end)),
        },
        max_bytes: 16384,
      },
    ],
    create: [],
    delete: [],
    override: [
      { path, reason: `${verdict.verdict}: ${verdict.kind}`, approved_by: `verdict:${verdict.id}` },
    ],
    forbidden: { packs: [`${pack}/skip`, `${pack}/exit`], baseline: 'tolerate', scope: 'region' },
    interface: 'body',
    order: 'contract-first',
    limits: { attempts: 1, candidate_bytes: 33554432 },
    visible: { include: [path], exclude: [] },
  };
}
