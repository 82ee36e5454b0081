import type { Rejection, RejectionCode } from '../../schemas/rejection.ts';
import type { Statement } from '../../schemas/seed.ts';
import type { GitCommit } from '../context.ts';
import type { Leak } from './leaks.ts';
import type { ReadChange } from './read-change.ts';
import { isCode, isPlainFile, type SplitChanges } from './split-changes.ts';

/** Beyond these a change is a project of its own, and no statement of a few sentences covers it. */
const MAX_LINES = 1500;
const MAX_FILES = 40;

/** Everything that decides whether a mined change is usable. */
export type Evidence = {
  readonly commit: GitCommit;
  readonly author: string | null;
  readonly split: SplitChanges;
  readonly source: readonly ReadChange[];
  readonly changedLines: number;
  readonly statements: readonly Statement[];
  readonly leaks: readonly Leak[];
};

type Rule = (evidence: Evidence) => string | null;

/** One rule a code, in the order in which the funnel counts: the first that holds is the reason. */
const RULES: readonly (readonly [RejectionCode, Rule])[] = [
  ['merge-without-change', mergeWithoutChange],
  ['revert', revert],
  ['bot-author', ({ author }) => (isBot(author) ? `written by ${author}` : null)],
  ['unsupported-language', unsupportedLanguage],
  ['no-source-change', noSourceChange],
  ['binary-only', binaryOnly],
  ['no-test-change', ({ split }) => (split.tests.length === 0 ? 'no test file changed' : null)],
  ['too-large', tooLarge],
  ['statement-leaky', statementLeaky],
  ['no-statement', noStatement],
];

/** Every reason against a change, the one that counts first; empty for a usable one. */
export const judge = (evidence: Evidence): Rejection[] =>
  RULES.flatMap(([code, rule]) => {
    const detail = rule(evidence);
    return detail === null ? [] : [{ code, detail, evidence: [evidence.commit.hash] }];
  });

const BOT =
  /\[bot\]$|^(?:dependabot|renovate|greenkeeper|pre-commit-ci|github-actions|snyk|allcontributors|imgbot|weblate|semantic-release|release-please)\b/i;

/** Whether a name is that of a program. Merge bots are not meant: what they merge was written by people. */
export const isBot = (author: string | null): boolean => author !== null && BOT.test(author);

function mergeWithoutChange({ commit }: Evidence): string | null {
  return commit.parents.length > 1 && commit.changes.length === 0
    ? 'the merge leaves its first parent as it was'
    : null;
}

function revert({ commit }: Evidence): string | null {
  const named = /^This reverts (?:commit )?([0-9a-f]{7,40})/m.exec(commit.message)?.[1];
  if (named !== undefined) return `takes back ${named}`;
  return /^(?:Revert\b|Reapply\b)/.test(commit.message) ? 'takes an earlier change back' : null;
}

function unsupportedLanguage({ split }: Evidence): string | null {
  if (split.source.length > 0 || split.tests.length > 0) return null;
  const code = split.other.find((change) => isPlainFile(change) && isCode(change.path));
  return code === undefined
    ? null
    : `${code.path} is code that the environment does not count as source`;
}

function noSourceChange(evidence: Evidence): string | null {
  if (evidence.split.source.length > 0 || unsupportedLanguage(evidence) !== null) return null;
  return evidence.commit.parents.length > 1 && evidence.commit.changes.length === 0
    ? null
    : 'no source file changed';
}

function binaryOnly({ source }: Evidence): string | null {
  return source.length > 0 && source.every(({ binary }) => binary)
    ? 'every changed source is binary'
    : null;
}

function tooLarge({ split, changedLines }: Evidence): string | null {
  const files = split.source.length;
  if (changedLines <= MAX_LINES && files <= MAX_FILES) return null;
  return `${changedLines} lines in ${files} source files, at most ${MAX_LINES} in ${MAX_FILES}`;
}

const MIN_WORDS = 4;

/** Signatures alone tell nobody what to do. */
const wordsLeft = (statements: readonly Statement[]): number =>
  statements
    .filter(({ kind }) => kind !== 'signature')
    .reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0), 0);

function statementLeaky({ statements, leaks }: Evidence): string | null {
  const words = wordsLeft(statements);
  if (leaks.length === 0 || words >= MIN_WORDS) return null;
  return `${words} words are left without what gives the fix away (${leaks.length} removed)`;
}

function noStatement({ statements, leaks }: Evidence): string | null {
  const words = wordsLeft(statements);
  return leaks.length > 0 || words >= MIN_WORDS ? null : 'no sentence says what should change';
}
