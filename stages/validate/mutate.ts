import type { Instance, Mutant } from '../../schemas/instance.ts';
import type { GoldPart, Task } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { settleAll } from '../settle/settle-all.ts';
import { changedPaths, changeTree, entriesByPath, readPath, readTree } from '../trees/trees.ts';
import { lineOwners } from '../weave/line-owners.ts';
import { applyMutation, chooseMutations, mutationsOf } from '../weave/mutants.ts';
import { grammarOf } from '../weave/operators/grammar.ts';
import type { Mutation } from '../weave/operators/operator.ts';
import { operators } from '../weave/operators/registry.ts';
import { randomFrom, shuffled } from '../weave/random.ts';
import { type Bench, type Observation, observe, passing } from './observe.ts';
import { type Reach, reachOf } from './reach.ts';

type Placed = Mutation & {
  readonly path: string;
  readonly part: GoldPart;
  /** The test files that run this place, of those that may fail; null: nothing is known. */
  readonly files: readonly string[] | null;
};

/** A mutant may loop for ever; what takes so much longer than gold does. A busy machine must not make it look so. */
const LEAST_MS = 20_000;
const TIMES_GOLD = 5;

/** The mutants, and what was known of the places that tests run before they were chosen. */
export type Weakened = {
  readonly mutants: readonly Mutant[];
  readonly reach: NonNullable<Instance['reach']> | null;
};

/**
 * Weaken each part inside the whole gold, a line at a time, and see which target tests notice: only at places that the file of a
 * target test runs, and only by the test files that run them.
 */
export async function runMutants(
  bench: Bench,
  gold: Observation,
  targets: readonly string[],
): Promise<Weakened> {
  const { task, context } = bench;
  if (context.settings.mutantsPerPart === 0) return { mutants: [], reach: null };
  const timeoutMs = Math.max(LEAST_MS, TIMES_GOLD * gold.durationMs);
  const reach = await reachOf(bench, gold, targets);
  const decisive = new Set(targets.map(gold.fileOf));
  const isReached = ({ files }: Placed) =>
    files === null || files.some((file) => decisive.has(file));
  const parts = task.gold.map((part) => ({
    part,
    all: mutationsOfPart(task, part, reach, context),
  }));
  const chosen = parts.flatMap(({ part, all }) => choose(task, part, all, isReached, context));
  const mutants = await settleAll(chosen, async (placed, index) => {
    const tree = mutate(gold.tree, placed, context);
    const files = placed.files ?? task.tests.files;
    const run = await observe(bench, tree, { files, timeoutMs });
    const { part, path, line, operator } = placed;
    const id = `m${index + 1}`;
    const seen = { run, gold, files, taskFiles: task.tests.files };
    return {
      id,
      part: part.id,
      path,
      line,
      operator,
      tree,
      run: run.key,
      ...judge(seen, targets),
    };
  });
  const every = parts.flatMap(({ all }) => all);
  const unreached = every.filter((placed) => !isReached(placed)).length;
  return { mutants, reach: { run: reach.run, places: every.length, unreached } };
}

/** Mutations of the lines that a part brought and that still stand in gold. */
const mutationsOfPart = (
  task: Task,
  part: GoldPart,
  reach: Reach,
  context: Context,
): readonly Placed[] =>
  changedPaths(context.ledger, part.before, part.after).flatMap((path) =>
    mutationsIn(task, part, path, context).map((placed) => ({
      ...placed,
      files: reach.filesAt(placed),
    })),
  );

/** The same ones for the same seed: what no test runs falls out after the shuffle. */
function choose(
  task: Task,
  part: GoldPart,
  all: readonly Placed[],
  isReached: (placed: Placed) => boolean,
  { settings }: Context,
): readonly Placed[] {
  const random = randomFrom(settings.seed + task.gold.indexOf(part));
  return chooseMutations(all, settings.mutantsPerPart, (items) =>
    shuffled(items, random).filter(isReached),
  );
}

function mutationsIn(
  task: Task,
  part: GoldPart,
  path: string,
  context: Context,
): readonly Omit<Placed, 'files'>[] {
  const language = grammarOf(path);
  const gold = readPath(context.ledger, goldTree(task), path);
  if (language === null || gold === null) return [];
  const root = context.parse(language, gold);
  if (root === null) return [];
  const owners = ownersOf(task, path, context);
  const own = task.gold.indexOf(part) + 1;
  const lines = new TextDecoder().decode(gold).split('\n');
  // A line of braces alone is paired with any other, so who brought it says nothing.
  const isOwn = (line: number) => owners[line - 1] === own || !/\w/.test(lines[line - 1] ?? '');
  const isAll = context.settings.mutantOperators === 'all';
  const asked = operators.filter(({ isCore }) => isCore || isAll);
  return mutationsOf(root, gold, { language, isOwn, operators: asked }).map((mutation) => ({
    ...mutation,
    path,
    part,
  }));
}

function ownersOf(task: Task, path: string, { ledger }: Context): readonly number[] {
  const trees = [task.base.tree, ...task.gold.map(({ after }) => after)];
  return lineOwners(
    trees.map((tree) => {
      const bytes = readPath(ledger, tree, path);
      return bytes === null ? null : new TextDecoder().decode(bytes);
    }),
  );
}

function mutate(tree: string, { path, ...mutation }: Placed, { ledger }: Context): string {
  const entry = entriesByPath(readTree(ledger, tree)).get(path);
  if (entry === undefined) throw new Error(`${path} is not in the tree it was read from`);
  const bytes = applyMutation(ledger.get(entry.sha256), mutation);
  return changeTree(ledger, tree, [{ ...entry, size: bytes.length, sha256: ledger.put(bytes) }]);
}

const goldTree = (task: Task): string => task.gold.at(-1)?.after ?? task.base.tree;

type Seen = {
  readonly run: Observation;
  readonly gold: Observation;
  /** The test files that ran. */
  readonly files: readonly string[];
  readonly taskFiles: readonly string[];
};

/**
 * A mutant that more than half of the passing tests notice says nothing of one part. Test files that do not run its place were
 * spared, and their tests count as passing.
 */
function judge(
  { run, gold, files, taskFiles }: Seen,
  targets: readonly string[],
): Pick<Mutant, 'verdict' | 'killed'> {
  const isSpared = (id: string) => {
    const file = gold.fileOf(id);
    return taskFiles.includes(file) && !files.includes(file);
  };
  const before = passing(gold).filter(
    (id) => run.ids.includes(id) || targets.includes(id) || isSpared(id),
  );
  const lost = before.filter((id) => !isSpared(id) && run.statusOf(id) !== 'passed');
  const killed = targets.filter((id) => run.statusOf(id) === 'failed').toSorted();
  if (run.status !== 'completed' || run.ids.length === 0) return { verdict: 'broken', killed: [] };
  if (lost.length > before.length / 2) return { verdict: 'too-coarse', killed };
  return {
    verdict: killed.length > 0 ? 'killed' : lost.length > 0 ? 'broken' : 'survived',
    killed,
  };
}
