import type { Seed } from '../schemas/seed.ts';
import type { Source } from '../schemas/source.ts';
import type { Task } from '../schemas/task.ts';
import { resemblance, type Signature, signatureOf } from '../stages/dedup/min-hash.ts';
import { taskText } from '../stages/dedup/task-text.ts';
import { stages } from '../stages/registry.ts';
import type { Known } from './known-tasks.ts';
import type { OpenLedger } from './ledger/open.ts';

/** Tasks of one history share words; above this both texts are the same work told twice. */
const SAME = 0.8;

type Accepted = {
  readonly record: string;
  readonly statement: Signature;
  readonly change: Signature;
};

const slugOf = ({ url, origin }: Source): string | null =>
  /([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/u.exec(url ?? origin)?.[1]?.toLowerCase() ?? null;

/** Where a list of benchmarks holds the same change: its repository with one of its commits or threads. */
function listed(
  source: Source,
  seeds: readonly Seed[],
  known: readonly Known[],
): Known | undefined {
  const slug = slugOf(source);
  const commits = seeds.flatMap(({ change }) => [change.head, change.base]);
  const threads = new Set(seeds.flatMap(({ threads: numbers }) => numbers));
  return known.find(
    ({ repo, commit, issue }) =>
      repo.toLowerCase() === slug &&
      ((commit !== undefined && commits.some((hash) => hash.startsWith(commit))) ||
        (issue !== undefined && threads.has(issue))),
  );
}

function reasonFor(mine: Accepted, before: readonly Accepted[]): string | null {
  const likest = before
    .map((other) => ({
      record: other.record,
      statement: resemblance(mine.statement, other.statement),
      change: resemblance(mine.change, other.change),
    }))
    .toSorted((left, right) => right.change - left.change)[0];
  if (likest === undefined || likest.change < SAME || likest.statement < SAME) return null;
  const { record, statement, change } = likest;
  return `duplicate: of ${record}, statement ${statement.toFixed(2)}, change ${change.toFixed(2)}`;
}

/**
 * The last gate, over all that passed the others, in the order of their names: what a listed benchmark holds is `contaminated`, what
 * says and does the same as a task before it is a `duplicate`. Both are noted as exclusions; returns how many.
 */
export function excludeCopies(ledger: OpenLedger, known: readonly Known[]): number {
  const kept: Accepted[] = [];
  let excluded = 0;
  for (const record of ledger.records().toSorted()) {
    const { facts, rejection, excluded: before, next } = ledger.fold(record, stages);
    const task = facts.task as Task | undefined;
    const isProved = task !== undefined && facts.instance !== undefined;
    if (rejection !== null || before !== null || !isProved || next === 'validate') continue;
    const text = taskText(task, ledger);
    const mine = {
      record,
      statement: signatureOf(text.statement),
      change: signatureOf(text.change),
    };
    const held = listed(facts.source as Source, facts.seeds as readonly Seed[], known);
    const reason =
      held === undefined
        ? reasonFor(mine, kept)
        : `contaminated: ${held.repo} ${held.commit ?? `#${held.issue}`} is in ${held.benchmark ?? 'the list of known tasks'}`;
    if (reason === null) kept.push(mine);
    else {
      excluded += 1;
      ledger.note({ kind: 'record-excluded', record, key: record, body: { reason } });
    }
  }
  return excluded;
}
