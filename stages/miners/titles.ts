import type { Doc } from './docs.ts';
import type { Span } from './mask.ts';
import { isSpeech } from './normative.ts';
import { trimmed } from './sentences.ts';

const MERGE = /^(?:Merge (?:pull request|branch|remote|tag|commit)|See merge request)\b/;
const PREFIX = /^(?:\[[^\]]{1,30}\]\s*|[a-z]+(?:\([^)]{1,40}\))?!?:\s+)+/i;

/** Types of conventional commits that change no behaviour. */
const UPKEEP = /^(?:chore|style|docs?|ci|build|tests?|release)(?:\([^)]*\))?!?:\s/i;
const SUFFIX = /(?:\s*\((?:#\d+|fix(?:es)? #\d+|closes? #\d+)\))+\s*\.?$/i;
const EMPTY =
  /^(?:merge|bump|release|version|wip|revert|prepare|update dependenc|back to|post-release)\b/i;

/**
 * The first line of a thread or commit, without "fix(scope):" before it and "(#12)" behind it.
 * The first line of a merge commit names a branch, so there the next line that is not empty stands for it.
 */
export function titleIn({ doc, text }: Doc): readonly Span[] {
  if (/#\d+$/.test(doc) || doc.startsWith('blob:')) return [];
  const line = titleLine(text);
  const raw = text.slice(line.start, line.end);
  if (UPKEEP.test(raw)) return [];
  const prefix = PREFIX.exec(raw)?.[0].length ?? 0;
  const suffix = SUFFIX.exec(raw)?.[0].length ?? 0;
  const span = trimmed(text, { start: line.start + prefix, end: line.end - suffix });
  const title = text.slice(span.start, span.end);
  return isSpeech(title) && !EMPTY.test(title) && !MERGE.test(title) ? [span] : [];
}

/** Whether a message is about a merge of branches or a release, and not about a change of its own. */
export const isBranchMerge = (message: string): boolean =>
  /^(?:Merge (?!pull request)|Release\b)/i.test(message);

/** The place of the line that titles a text. */
export function titleLine(text: string): Span {
  const first = lineAt(text, 0);
  if (!MERGE.test(text)) return first;
  const next = text.slice(first.end).search(/\S/);
  return next === -1 ? first : lineAt(text, first.end + next);
}

function lineAt(text: string, start: number): Span {
  const end = text.indexOf('\n', start);
  return { start, end: end === -1 ? text.length : end };
}
