import type { Attempt } from '../../schemas/attempt.ts';
import type { Instance } from '../../schemas/instance.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { joinBytes } from '../contract/bytes.ts';
import { readTree } from '../contract/conforms.ts';
import { anyGlob } from '../contract/globs.ts';
import { manifestText } from '../contract/manifest.ts';
import { outcomeOf } from '../contract/outcome.ts';
import { makeCandidate } from './candidate.ts';
import type { Bench } from './grade.ts';
import { judgeCandidate } from './judge-candidate.ts';
import { notBuilt } from './judge-run.ts';
import { reasonOf } from './proposal.ts';

type Control = Instance['controls'][number];

const newline = new Uint8Array([0x0a]);
const spare = 'control-note.txt';

/** How harmless one more blank line is: sources and prose first, data files last. */
function rankOf(path: string, isSource: (path: string) => boolean): number {
  if (isSource(path)) return 0;
  return /\.(?:md|txt|rst)$|(?:^|\/)[A-Z]+$/u.test(path) ? 1 : 2;
}

/** A protected file of the base whose last line may grow by one, no test of any kind; null when all is editable. */
function protectedFile({ task }: Bench, base: ReadonlyMap<string, TreeEntry>): TreeEntry | null {
  const { contract, tests, environment } = task;
  const taken = new Set([
    ...contract.editable.map(({ file }) => file),
    ...tests.overlay.map(({ path }) => path),
  ]);
  const isTest = anyGlob([...environment.testFiles, '**/{test,tests,__tests__,spec,fixtures}/**']);
  const isSource = anyGlob(environment.sourceFiles);
  const fits = ({ path, kind }: TreeEntry) =>
    kind === 'file' &&
    !taken.has(path) &&
    !isTest(path) &&
    /\.(?:[cm]?[jt]sx?|py|md|txt|rst|json|toml|cfg)$|(?:^|\/)[A-Z]+$/u.test(path);
  const found = [...base.values()].filter(fits);
  const ranked = found.toSorted(
    (left, right) => rankOf(left.path, isSource) - rankOf(right.path, isSource),
  );
  return ranked[0] ?? null;
}

/** A tree with one blank line more where the contract allows none; a new file where there is nothing protected to change. */
function overreach(bench: Bench, tree: string): string {
  const { ledger } = bench.context;
  const entries = new Map(readTree(tree, ledger.get));
  const victim = protectedFile(bench, readTree(bench.task.base.tree, ledger.get));
  const path = victim?.path ?? spare;
  const before = entries.get(path);
  const bytes = joinBytes([before ? ledger.get(before.sha256) : new Uint8Array(), newline]);
  entries.set(path, {
    path,
    kind: before?.kind ?? 'file',
    size: bytes.length,
    sha256: ledger.put(bytes),
  });
  return ledger.put(manifestText([...entries.values()]));
}

const blank = { attempt: 1, request: null, proposal: null, proposalReason: null };

async function judged(
  bench: Bench,
  tree: string,
  order: 'contract-first' | 'measure',
): Promise<Attempt> {
  return { ...blank, ...(await judgeCandidate(bench, tree, order)) };
}

/** An edit whose text the base cannot hold: a proposal that makes no tree. */
function missingEdit({ task, context }: Bench): Attempt {
  const base = readTree(task.base.tree, context.ledger.get);
  const file = [...base.values()].find(({ kind }) => kind === 'file')?.path ?? spare;
  const find = `control ${task.base.tree}`;
  const value = { edits: [{ file, find, replace: '' }], create: [], delete: [] };
  const made = makeCandidate(
    { contract: task.contract, base: task.base.tree },
    { kind: 'edits', value },
    context.ledger,
  );
  const proposalReason = made.ok ? null : reasonOf(made);
  return { ...blank, proposalReason, candidate: null, report: null, build: notBuilt };
}

/**
 * Five candidates whose class is known beforehand, one for each outcome, judged like any other: proof that this instance can
 * tell them apart. No model is asked. Source: contracts.md 16.
 */
export async function runControls(bench: Bench): Promise<readonly Control[]> {
  const gold = bench.instance.goldTree;
  const base = bench.task.base.tree;
  const named: readonly [string, Control['expected'], Attempt][] = [
    ['gold', 'valid-success', await judged(bench, gold, 'measure')],
    [
      'gold and a protected line',
      'false-success',
      await judged(bench, overreach(bench, gold), 'measure'),
    ],
    ['nothing', 'safe-failure', await judged(bench, base, 'contract-first')],
    [
      'a protected line',
      'rejected-violation',
      await judged(bench, overreach(bench, base), 'contract-first'),
    ],
    ['an edit of nothing', 'invalid-candidate', missingEdit(bench)],
  ];
  return named.map(([name, expected, attempt]) => ({
    name,
    expected,
    outcome: outcomeOf([attempt]),
  }));
}
