import type { SyntaxNode } from '../../schemas/syntax.ts';

/** One small change of a text: the bytes [start, end) become `text`. */
export type Mutation = {
  readonly operator: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

type Operator = (node: SyntaxNode, parent: SyntaxNode | null, source: Source) => Mutation | null;
type Source = { readonly language: string; readonly text: (node: SyntaxNode) => string };

const DROPPED = new Set([
  'expression_statement',
  'return_statement',
  'throw_statement',
  'raise_statement',
  'if_statement',
  'for_statement',
  'for_in_statement',
  'while_statement',
  'assignment',
  'augmented_assignment',
  'continue_statement',
  'break_statement',
  'delete_statement',
]);
const CONDITIONAL = new Set([
  'if_statement',
  'while_statement',
  'elif_clause',
  'ternary_expression',
]);
const BOUNDS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '+',
  '&&': '||',
  '||': '&&',
  and: 'or',
  or: 'and',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
};

/** Drop a statement whole; Python needs something in its place. */
const dropStatement: Operator = (node, parent, { language }) => {
  if (!DROPPED.has(node.type) || isOnlyWords(node)) return null;
  if (parent?.type === 'expression_statement') return null;
  const text = language === 'python' ? 'pass' : '{}';
  return {
    operator: 'drop-statement',
    line: node.startLine,
    start: node.start,
    end: node.end,
    text,
  };
};

/** A docstring or a bare name does nothing; to drop it changes nothing. */
const isOnlyWords = ({ type, children }: SyntaxNode): boolean =>
  type === 'expression_statement' && ['string', 'identifier'].includes(children[0]?.type ?? '');

const negateCondition: Operator = (node, parent, { language, text }) => {
  if (node.field !== 'condition' || parent === null || !CONDITIONAL.has(parent.type)) return null;
  const inner = text(node);
  const negated = language === 'python' ? `not (${inner})` : `(!(${inner}))`;
  return mutation('negate-condition', node, negated);
};

const shiftBound: Operator = (node, parent, { text }) => {
  if (node.named || parent === null || !/binary|comparison|boolean/.test(parent.type)) return null;
  const other = BOUNDS[text(node)];
  return other === undefined ? null : mutation('shift-bound', node, other);
};

const stepNumber: Operator = (node, _parent, { text }) => {
  if (!['number', 'integer'].includes(node.type) || !/^\d{1,9}$/.test(text(node))) return null;
  return mutation('off-by-one', node, String(Number(text(node)) + 1));
};

const flipBoolean: Operator = (node, _parent, { language }) => {
  if (node.type !== 'true' && node.type !== 'false') return null;
  const flipped = node.type === 'true' ? 'false' : 'true';
  const text = language === 'python' ? `${flipped[0]?.toUpperCase()}${flipped.slice(1)}` : flipped;
  return mutation('flip-boolean', node, text);
};

const OPERATORS: readonly Operator[] = [
  dropStatement,
  negateCondition,
  shiftBound,
  stepNumber,
  flipBoolean,
];

const mutation = (
  operator: string,
  { startLine, start, end }: SyntaxNode,
  text: string,
): Mutation => ({
  operator,
  line: startLine,
  start,
  end,
  text,
});

/**
 * Every mutation of a parsed text that changes nothing but the given lines; in order of place, then operator.
 * A statement that also holds lines of somebody else is left alone: to drop it would say nothing of these.
 */
export function mutationsOf(
  root: SyntaxNode,
  bytes: Uint8Array,
  language: string,
  isOwn: (line: number) => boolean,
): readonly Mutation[] {
  const decoder = new TextDecoder();
  const source = {
    language,
    text: ({ start, end }: SyntaxNode) => decoder.decode(bytes.subarray(start, end)),
  };
  const found: Mutation[] = [];
  const visit = (node: SyntaxNode, parent: SyntaxNode | null): void => {
    if (isWithin(node, isOwn)) {
      for (const operator of OPERATORS) {
        const made = operator(node, parent, source);
        if (made !== null) found.push(made);
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
