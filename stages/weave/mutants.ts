import type { SyntaxNode } from '../../schemas/syntax.ts';
import type { Mutation, Operator } from './operators/operator.ts';

type Where = {
  readonly language: string;
  readonly isOwn: (line: number) => boolean;
  readonly operators: readonly Operator[];
};

const mutation = (
  operator: string,
  { startLine, endLine, start, end }: SyntaxNode,
  text: string,
): Mutation => ({ operator, line: startLine, endLine, start, end, text });

/**
 * Every mutation of a parsed text that changes nothing but the given lines; in order of place, then operator.
 * A statement that also holds lines of somebody else is left alone: to drop it would say nothing of these.
 */
export function mutationsOf(
  root: SyntaxNode,
  bytes: Uint8Array,
  { language, isOwn, operators }: Where,
): readonly Mutation[] {
  const decoder = new TextDecoder();
  const source = {
    language,
    text: ({ start, end }: SyntaxNode) => decoder.decode(bytes.subarray(start, end)),
  };
  const found: Mutation[] = [];
  const visit = (node: SyntaxNode, parent: SyntaxNode | null): void => {
    if (isWithin(node, isOwn)) {
      for (const { name, rewrite } of operators) {
        const text = rewrite(node, parent, source);
        if (text !== null) found.push(mutation(name, node, text));
      }
    }
    for (const child of node.children) visit(child, node);
  };
  visit(root, null);
  return found;
}

function isWithin({ startLine, endLine }: SyntaxNode, isOwn: (line: number) => boolean): boolean {
  for (let line = startLine; line <= endLine; line++) if (!isOwn(line)) return false;
  return true;
}

/** The text with one mutation made. */
export function applyMutation(bytes: Uint8Array, { start, end, text }: Mutation): Uint8Array {
  const middle = new TextEncoder().encode(text);
  const mutated = new Uint8Array(start + middle.length + bytes.length - end);
  mutated.set(bytes.subarray(0, start));
  mutated.set(middle, start);
  mutated.set(bytes.subarray(end), start + middle.length);
  return mutated;
}

/** At most `cap` mutations, every operator taking its turn; `order` shuffles within an operator. */
export function chooseMutations<T extends { readonly operator: string }>(
  mutations: readonly T[],
  cap: number,
  order: (items: readonly T[]) => readonly T[],
): readonly T[] {
  const operators = [...new Set(mutations.map(({ operator }) => operator))];
  const queues = operators.map((name) => [
    ...order(mutations.filter(({ operator }) => operator === name)),
  ]);
  const chosen: T[] = [];
  while (chosen.length < cap && queues.some((queue) => queue.length > 0))
    for (const queue of queues) {
      const next = queue.shift();
      if (next !== undefined && chosen.length < cap) chosen.push(next);
    }
  return chosen;
}
