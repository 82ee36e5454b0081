import { z } from 'zod';
import { moreOf, type ThreadNode } from './answers.ts';
import type { Host } from './host.ts';
import { type Holder, type ListName, moreQuery } from './queries.ts';
import type { PartError } from './wire.ts';

type List<T> = {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly T[];
};
type Problem = (error: PartError) => void;

/** All items of a list whose first page is at hand. */
async function wholeList<T>(
  host: Host,
  list: List<T>,
  next: (after: string) => Promise<List<T> | null>,
): Promise<{ pageInfo: List<T>['pageInfo']; nodes: T[] }> {
  const nodes = [...list.nodes];
  let { pageInfo } = list;
  for (let tries = 0; pageInfo.hasNextPage && pageInfo.endCursor !== null; ) {
    const page = await next(pageInfo.endCursor);
    if (page === null) {
      await host.backOff(tries++, 'one thread could not be read whole');
      continue;
    }
    tries = 0;
    nodes.push(...page.nodes);
    ({ pageInfo } = page);
  }
  return { pageInfo, nodes };
}

type At = { readonly holder: Holder; readonly id: string; readonly name: ListName };

/** A thread with everything of it, also what did not fit into the page that brought it. */
export async function completeThread(
  host: Host,
  holder: Exclude<Holder, 'PullRequestReview'>,
  node: ThreadNode,
  onProblem: Problem,
): Promise<ThreadNode> {
  const whole = <T>(at: At, list: List<T>, schema: z.ZodType<List<T>>) =>
    wholeList(host, list, async (after) => {
      const answered = z.object({ node: z.record(z.string(), schema) });
      const query = moreQuery(at.holder, at.name);
      const answer = await host.ask(query, { id: at.id, after }, answered);
      answer?.errors.forEach(onProblem);
      return answer?.data.node[at.name] ?? null;
    });
  const own = (name: ListName): At => ({ holder, id: node.id, name });
  const comments = await whole(own('comments'), node.comments, moreOf.comments);
  const references = await whole(own('references'), node.references, moreOf.references);
  if (holder === 'Issue') return { ...node, comments, references };
  const { closes = null, reviews = null } = node;
  const allReviews = reviews && (await whole(own('reviews'), reviews, moreOf.reviews));
  const said: NonNullable<typeof allReviews>['nodes'] = [];
  for (const review of allReviews?.nodes ?? []) {
    const at = { holder: 'PullRequestReview', id: review?.id ?? '', name: 'comments' } as const;
    said.push(review && { ...review, comments: await whole(at, review.comments, moreOf.comments) });
  }
  return {
    ...node,
    comments,
    references,
    closes: closes && (await whole(own('closes'), closes, moreOf.closes)),
    reviews: allReviews && { ...allReviews, nodes: said },
  };
}
