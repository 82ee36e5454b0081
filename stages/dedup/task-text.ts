import type { Task } from '../../schemas/task.ts';
import type { Ledger } from '../context.ts';
import { isFile, readTree } from '../trees/trees.ts';

const decoder = new TextDecoder();

const linesOf = (bytes: Uint8Array | null): ReadonlySet<string> =>
  new Set(bytes === null ? [] : decoder.decode(bytes).split('\n'));

/** Lines that one step brings, file by file; what a file had before is no part of the change. */
function freshLines(ledger: Ledger, before: string, after: string): string[] {
  const old = new Map(readTree(ledger, before).map((entry) => [entry.path, entry.sha256]));
  return readTree(ledger, after)
    .filter((entry) => isFile(entry) && old.get(entry.path) !== entry.sha256)
    .flatMap(({ path, sha256 }) => {
      const had = old.get(path);
      const known = linesOf(had === undefined ? null : ledger.get(had));
      return [...linesOf(ledger.get(sha256))].filter((line) => !known.has(line));
    });
}

/** What two tasks are compared by: what a solver reads, and what gold brings. */
export const taskText = (task: Task, ledger: Ledger) => ({
  statement: task.statement,
  change: task.gold.flatMap(({ before, after }) => freshLines(ledger, before, after)).join('\n'),
});
