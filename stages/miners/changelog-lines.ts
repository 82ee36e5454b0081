import type { Doc } from './docs.ts';
import { linesOf, type Span } from './mask.ts';
import { isSpeech } from './normative.ts';
import { blocksOf } from './sentences.ts';

const CHANGELOG_HEADING = /\b(?:change ?log|release notes?|what(?:'s| is) new|news)\b/i;
const MARKED_LINE = /^(?:change ?log|release notes?)[ \t]*:[ \t]*(\S[^\r\n]*)/gim;

/** Lines written for users: below a changelog heading of a text, or after "Changelog:". */
export function changelogIn({ doc, text }: Doc): readonly Span[] {
  if (doc.startsWith('blob:')) return [];
  const below = blocksOf(text).filter(({ heading }) => CHANGELOG_HEADING.test(heading));
  const marked = [...text.matchAll(MARKED_LINE)].map((match) => {
    const start = match.index + match[0].length - (match[1]?.length ?? 0);
    return { start, end: match.index + match[0].length };
  });
  return [...below, ...marked].filter(({ start, end }) => isSpeech(text.slice(start, end)));
}

const CHANGELOG_FILE =
  /(?:^|\/)(?:(?:changelog|changes|history|news|release[-_]?notes)(?:\.(?:md|markdown|rst|txt|adoc))?|(?:changes|newsfragments|changelog\.d|news|\.changeset)\/[^/]+\.(?:md|rst|txt))$/i;

/** Whether a path is where a project tells its users what changed. */
export const isChangelog = (path: string): boolean => CHANGELOG_FILE.test(path);

/** Entries of a changelog file that lie wholly on lines which the change brought. `added`: lines from 1. */
export function addedEntries(text: string, added: ReadonlySet<number>): readonly Span[] {
  const lines = linesOf(text);
  const isAdded = new Set([...added].map((line) => lines[line - 1]?.start));
  const starts = lines.map(({ start }) => start);
  let at = 0;
  return blocksOf(text).filter(({ start, end }) => {
    while ((starts[at + 1] ?? Number.POSITIVE_INFINITY) <= start) at += 1;
    for (let line = at; (starts[line] ?? end) < end; line++) {
      if (!isAdded.has(starts[line])) return false;
    }
    return isSpeech(text.slice(start, end));
  });
}
