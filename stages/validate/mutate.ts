import type { Mutant } from '../../schemas/instance.ts';
import type { GoldPart, Task } from '../../schemas/task.ts';
import type { Context } from '../context.ts';
import { languageOf } from '../draft/language.ts';
import { settleAll } from '../settle/settle-all.ts';
import { changedPaths, changeTree, entriesByPath, readPath, readTree } from '../trees/trees.ts';
import { lineOwners } from '../weave/line-owners.ts';
import { applyMutation, chooseMutations, mutationsOf } from '../weave/mutants.ts';
import type { Mutation } from '../weave/operators/operator.ts';
import { operators } from '../weave/operators/registry.ts';
import { randomFrom, shuffled } from '../weave/random.ts';
import { type Bench, type Observation, observe, passing } from './observe.ts';

type Placed = Mutation & { readonly path: string; readonly part: GoldPart };

/** A mutant may loop for ever; what takes so much longer than gold does. A busy machine must not make it look so. */
const LEAST_MS = 20_000;
const TIMES_GOLD = 5;

/** Weaken each part inside the whole gold, a line at a time, and see which target tests notice. */
export async function runMutants(
  bench: Bench,
  gold: Observation,
  targets: readonly string[],
): Promise<readonly Mutant[]> {
  const { task, context } = bench;
  const timeoutMs = Math.max(LEAST_MS, TIMES_GOLD * gold.durationMs);
  const chosen = task.gold.flatMap((part) => mutantsOfPart(task, part, context));
  return settleAll(chosen, async (placed, index) => {
    const tree = mutate(gold.tree, placed, context);
    const run = await observe(bench, tree, { files: task.tests.files, timeoutMs });
    const { part, path, line, operator } = placed;
    const id = `m${index + 1}`;
    return {
      id,
      part: part.id,
      path,
      line,
      operator,
      tree,
      run: run.key,
      ...judge(run, gold, targets),
    };
  });
}

/** Mutations of the lines that a part brought and that still stand in gold; the same ones for the same seed. */
function mutantsOfPart(task: Task, part: GoldPart, context: Context): readonly Placed[] {
  const { mutantsPerPart, seed } = context.settings;
  const random = randomFrom(seed + task.gold.indexOf(part));
  const all = changedPaths(context.ledger, part.before, part.after).flatMap((path) =>
    mutationsIn(task, part, path, context),
  );
  return chooseMutations(all, mutantsPerPart, (items) => shuffled(items, random));
}

function mutationsIn(
  task: Task,
  part: GoldPart,
  path: string,
  context: Context,
): readonly Placed[] {
  const language = languageOf(path);
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

/** A mutant that more than half of the passing tests notice says nothing of one part. */
function judge(
  run: Observation,
  gold: Observation,
  targets: readonly string[],
): Pick<Mutant, 'verdict' | 'killed'> {
  const before = passing(gold).filter((id) => run.ids.includes(id) || targets.includes(id));
  const lost = before.filter((id) => run.statusOf(id) !== 'passed');
  const killed = targets.filter((id) => run.statusOf(id) === 'failed').toSorted();
  if (run.status !== 'completed' || run.ids.length === 0) return { verdict: 'broken', killed: [] };
  if (lost.length > before.length / 2) return { verdict: 'too-coarse', killed };
  return {
    verdict: killed.length > 0 ? 'killed' : lost.length > 0 ? 'broken' : 'survived',
    killed,
  };
}
