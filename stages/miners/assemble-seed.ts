import type { Seed, Statement } from '../../schemas/seed.ts';
import type { Source } from '../../schemas/source.ts';
import type { Thread } from '../../schemas/thread.ts';
import type { GitCommit } from '../context.ts';
import { languageOf } from '../draft/language.ts';
import type { SymbolsOf } from './change-symbols.ts';
import { addedEntries, isChangelog } from './changelog-lines.ts';
import { bindingDocs, commitDoc, type Doc } from './docs.ts';
import { isBot, judge } from './judge.ts';
import { bare, isTelling, type Leak, leakIn, leakyBlocks, type Secrets } from './leaks.ts';
import { addedLines, type ReadChange, textOf } from './read-change.ts';
import type { SplitChanges } from './split-changes.ts';
import { distinctStatements, statementAt, statementsIn } from './statements.ts';
import { testNamesIn } from './test-names.ts';
import type { ThreadIndex, Ties } from './tie-threads.ts';
import { isBranchMerge, titleLine } from './titles.ts';

/** One commit with everything that was read for it. */
export type MinedChange = {
  readonly source: Source;
  readonly commit: GitCommit;
  readonly ties: Ties;
  readonly split: SplitChanges;
  readonly reads: Readonly<Record<keyof SplitChanges, readonly ReadChange[]>>;
};

/** A seed and the texts that its statements quote. */
export type MinedSeed = { readonly seed: Seed; readonly docs: readonly Doc[] };

/** Put a seed together: statements without leaks, the change, its symbols, and every reason against it. */
export function assembleSeed(
  mined: MinedChange,
  index: ThreadIndex,
  symbolsOf: SymbolsOf,
): MinedSeed {
  const { source, commit, ties, split, reads } = mined;
  const { docs, statements, leaks } = statementsOf(mined, index);
  const author = ties.pull?.author ?? commit.author;
  const count = (side: 'added' | 'removed') =>
    reads.source.reduce((sum, { lines }) => sum + lines[side].length, 0);
  const facts = {
    languages: languagesOf(split),
    licence: source.licence,
    createdAt: createdAt(ties, index, commit),
    mergedAt: ties.pull?.mergedAt ?? commit.committedAt,
    bot: isBot(author),
    addedLines: count('added'),
    removedLines: count('removed'),
    leaks: [...leaks],
  };
  const changedLines = facts.addedLines + facts.removedLines;
  const seed: Seed = {
    id: `${source.name}-${commit.hash.slice(0, 12)}`,
    source: source.name,
    title: titleOf(ties, index, commit),
    statements: [...statements],
    threads: [...ties.threads],
    change: {
      base: commit.parents[0] ?? '',
      head: commit.hash,
      position: commit.position,
      ...split,
      symbols: [...new Set(reads.source.flatMap(symbolsOf))].toSorted(),
    },
    links: [...ties.links],
    facts,
    rejections: judge({
      commit,
      author,
      split,
      source: reads.source,
      changedLines,
      statements,
      leaks,
    }),
  };
  const quoted = new Set(statements.map(({ doc }) => doc));
  return { seed, docs: docs.filter(({ doc }) => quoted.has(doc)) };
}

function statementsOf(
  { commit, ties, reads }: MinedChange,
  index: ThreadIndex,
): {
  readonly docs: readonly Doc[];
  readonly statements: readonly Statement[];
  readonly leaks: readonly Leak[];
} {
  const threads = [...ties.solved.map((number) => index.byNumber.get(number)), ties.pull];
  const talk = threads.flatMap((thread) => (thread ? bindingDocs(thread) : []));
  const texts = [...talk, commitDoc(commit)];
  // What a merged branch says to users was written for many changes, not for this one.
  const changelogs = isBranchMerge(commit.message) ? [] : reads.other.flatMap(changelogOf);
  const all = [
    ...texts.flatMap(statementsIn),
    ...changelogs.flatMap(({ doc, spans }) =>
      spans.map((span) => statementAt(doc, 'changelog', span)),
    ),
  ];
  const secrets = secretsOf(commit, ties, reads);
  const judged = distinctStatements(all).map((statement) => ({
    statement,
    leak: leakIn(statement, secrets),
  }));
  return {
    docs: [...texts, ...changelogs.map(({ doc }) => doc)],
    statements: judged.flatMap(({ statement, leak }) => (leak === null ? [statement] : [])),
    leaks: [
      ...judged.flatMap(({ leak }) => leak ?? []),
      ...texts.flatMap((doc) => leakyBlocks(doc, secrets)),
    ],
  };
}

function changelogOf({ change, after, lines }: ReadChange) {
  const text = textOf(after);
  if (text === null || change.after === null || !isChangelog(change.path)) return [];
  const doc: Doc = { doc: `blob:${change.after}`, text, authorAssociation: 'NONE' };
  return [{ doc, spans: addedEntries(text, new Set(lines.added)) }];
}

function secretsOf(commit: GitCommit, { pull }: Ties, reads: MinedChange['reads']): Secrets {
  const hashes = [commit.hash, pull?.mergeCommit, pull?.headCommit];
  const paths = (changes: readonly ReadChange[]) => changes.map(({ change }) => change.path);
  return {
    hashes: hashes.filter((hash) => typeof hash === 'string'),
    lines: new Set(addedLines(reads.source).map(bare).filter(isTelling)),
    testNames: testNamesIn(addedLines(reads.tests)),
    testFiles: paths(reads.tests),
    sourceFiles: paths(reads.source),
  };
}

const languagesOf = ({ source, tests }: SplitChanges): string[] =>
  [...new Set([...source, ...tests].flatMap(({ path }) => languageOf(path) ?? []))].toSorted();

/** When it was asked for: the oldest thread, or the commit itself. */
function createdAt({ pull, solved }: Ties, { byNumber }: ThreadIndex, commit: GitCommit): string {
  const threads: (Thread | null | undefined)[] = [
    pull,
    ...solved.map((number) => byNumber.get(number)),
  ];
  const dates = threads.flatMap((thread) => thread?.createdAt ?? []);
  return dates.toSorted((left, right) => left.localeCompare(right))[0] ?? commit.authoredAt;
}

function titleOf(
  { pull, solved }: Ties,
  { byNumber }: ThreadIndex,
  { message }: GitCommit,
): string {
  const issue = solved.map((number) => byNumber.get(number)?.title).find((title) => title);
  const { start, end } = titleLine(message);
  return pull?.title ?? issue ?? message.slice(start, end).trim();
}
