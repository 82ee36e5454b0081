import type { Thread } from '../../schemas/thread.ts';
import type { GitCommit } from '../context.ts';

/**
 * A text that statements quote. `thread:12` is the title, an empty line and the body; `thread:12#3` the third comment;
 * `commit:<hash>` the whole message; `blob:<oid>` a changelog as the change leaves it.
 */
export type Doc = {
  readonly doc: string;
  readonly text: string;
  readonly authorAssociation: string;
};

/** Characters of one text that are read: what comes after a book's length is a log that somebody pasted. */
const MAX_TEXT = 100_000;

/** The beginning of a text, no character cut in two. */
const beginning = (text: string): string =>
  text.length <= MAX_TEXT ? text : text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/u, '');

/** The opening text of a thread, as far as it is read; spans of its statements count from here. */
export const threadText = ({ title, body }: Thread): string => beginning(`${title}\n\n${body}`);

/** The thread and its comments, each by its name. */
export function threadDocs(thread: Thread): readonly Doc[] {
  const { number, authorAssociation, comments } = thread;
  return [
    { doc: `thread:${number}`, text: threadText(thread), authorAssociation },
    ...comments.map((comment, at) => ({
      doc: `thread:${number}#${at + 1}`,
      text: beginning(comment.body),
      authorAssociation: comment.authorAssociation,
    })),
  ];
}

/** A commit's message. Git knows nothing of associations. */
export const commitDoc = ({ hash, message }: GitCommit): Doc => ({
  doc: `commit:${hash}`,
  text: message,
  authorAssociation: 'NONE',
});

const DECIDES = /^(OWNER|MEMBER|COLLABORATOR)$/;

/** Times in UTC compare as text; of others nothing is said. */
const isAfter = (time: string, end: string | null): boolean =>
  end !== null && time.endsWith('Z') && end.endsWith('Z') && time > end;

/**
 * What of a thread can bind: its opening, and comments by people who decide or by the one who asked, as long as it was open.
 * The rest of a discussion is opinion, and what comes after the end asks for something else.
 */
export function bindingDocs(thread: Thread): readonly Doc[] {
  const [opening, ...comments] = threadDocs(thread);
  const binding = comments.filter((_, at) => {
    const comment = thread.comments[at];
    if (comment === undefined || isAfter(comment.createdAt, thread.mergedAt ?? thread.closedAt))
      return false;
    const own = comment.author !== null && comment.author === thread.author;
    return own || DECIDES.test(comment.authorAssociation);
  });
  return opening === undefined ? [] : [opening, ...binding];
}
