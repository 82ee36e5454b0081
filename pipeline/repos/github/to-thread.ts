import { Thread } from '../../../schemas/thread.ts';
import type { Said, ThreadNode } from './answers.ts';

type Kind = Thread['comments'][number]['kind'];

/** Programs have names without their mark here; the archive writes it as the host's other interface does. */
const nameOf = (author: Said['author']): string | null => {
  if (author === null) return null;
  return author.__typename === 'Bot' && !author.login.endsWith('[bot]')
    ? `${author.login}[bot]`
    : author.login;
};

const present = <T>(nodes: readonly (T | null)[] = []): T[] =>
  nodes.filter((node) => node !== null);

const comment = (kind: Kind, { author, authorAssociation, createdAt, body }: Said) => ({
  kind,
  author: nameOf(author),
  authorAssociation,
  createdAt,
  body,
});

/** Comments, reviews and what was said at lines, by time. A review without words is left out. */
function commentsOf({ comments, reviews }: ThreadNode): Thread['comments'] {
  const all = present(reviews?.nodes);
  return [
    ...present(comments.nodes).map((one) => comment('comment', one)),
    ...all.filter(({ body }) => body.trim() !== '').map((one) => comment('review', one)),
    ...all.flatMap((review) =>
      present(review.comments.nodes).map((one) => comment('review-comment', one)),
    ),
  ].toSorted((left, right) => Date.parse(left.createdAt) - Date.parse(right.createdAt));
}

/** Numbers here, and the others by `owner/name#12`. */
function splitByPlace(
  here: string,
  nodes: readonly { number: number; repository: { nameWithOwner: string } }[],
) {
  const isHere = (name: string) => name.toLowerCase() === here.toLowerCase();
  const own = nodes.filter(({ repository }) => isHere(repository.nameWithOwner));
  const others = nodes.filter(({ repository }) => !isHere(repository.nameWithOwner));
  return {
    own: [...new Set(own.map(({ number }) => number))],
    others: [
      ...new Set(others.map(({ number, repository }) => `${repository.nameWithOwner}#${number}`)),
    ],
  };
}

const states = { OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' } as const;

/** A thread as the archive holds it. `here` is the repository's own name. */
export function toThread(kind: Thread['kind'], node: ThreadNode, here: string): Thread {
  const closes = splitByPlace(here, present(node.closes?.nodes));
  const named = present(node.references.nodes).flatMap(({ source }) =>
    source !== null && 'number' in source ? [source] : [],
  );
  return Thread.parse({
    number: node.number,
    kind,
    title: node.title,
    body: node.body,
    author: nameOf(node.author),
    authorAssociation: node.authorAssociation,
    state: states[node.state],
    createdAt: node.createdAt,
    closedAt: node.closedAt,
    mergedAt: node.mergedAt ?? null,
    labels: present(node.labels?.nodes).map(({ name }) => name),
    url: node.url,
    closes: closes.own,
    closesElsewhere: closes.others,
    crossReferences: splitByPlace(here, named).own.filter((number) => number !== node.number),
    mergeCommit: node.mergeCommit?.oid ?? null,
    headCommit: node.headRefOid ?? null,
    comments: commentsOf(node),
  });
}
