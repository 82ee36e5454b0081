import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { isPython, namedChildren, type Operator } from './operator.ts';

const OTHERS: Readonly<Record<string, string>> = {
  '/': '*',
  '%': '/',
  '**': '*',
  '//': '/',
  '<<': '>>',
  '>>': '<<',
  '&': '|',
  '|': '&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '*=': '+=',
  '??=': '=',
  '||=': '=',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
  'not in': 'in',
};

/** JavaScript's `in` has no negation of its own, so there it stays. */
const swapOperator: Operator = {
  name: 'swap-operator',
  isCore: false,
  rewrite(node, parent, source) {
    if (node.named && !['is not', 'not in'].includes(node.type)) return null;
    if (
      parent === null ||
      !/binary|comparison|augmented|compound|assignment_(?:expression|statement)/.test(parent.type)
    )
      return null;
    const sign = source.text(node).replaceAll(/\s+/g, ' ');
    return /^[a-z]/.test(sign) && !isPython(source) ? null : (OTHERS[sign] ?? null);
  },
};

const dropNegation: Operator = {
  name: 'drop-negation',
  isCore: false,
  rewrite(node, _parent, { text }) {
    const [sign, inner] = node.children;
    if (sign === undefined || inner === undefined || node.children.length !== 2) return null;
    const isNegation =
      node.type === 'not_operator' || (node.type === 'unary_expression' && text(sign) === '!');
    return isNegation ? `(${text(inner)})` : null;
  },
};

const PLAIN = (node: SyntaxNode): boolean =>
  !/spread|splat|keyword_argument|generator/.test(node.type);

/** The first two arguments of a call change places. */
const swapArguments: Operator = {
  name: 'swap-arguments',
  isCore: false,
  rewrite(node, parent, { text }) {
    if (!['arguments', 'argument_list'].includes(node.type)) return null;
    const [first, second, ...rest] = namedChildren(node);
    if (parent === null || first === undefined || second === undefined) return null;
    if (!PLAIN(first) || !PLAIN(second) || text(first) === text(second)) return null;
    return `(${[second, first, ...rest].map(text).join(', ')})`;
  },
};

const dropElse: Operator = {
  name: 'drop-else',
  isCore: false,
  rewrite: ({ type }, parent) =>
    type === 'else_clause' && /^if_(?:statement|expression)$/.test(parent?.type ?? '') ? '' : null,
};

/** Of two values that a condition chooses from, the last. Python writes the condition between them. */
const lastBranch: Operator = {
  name: 'last-branch',
  isCore: false,
  rewrite(node, _parent, { text }) {
    const last = namedChildren(node).at(-1);
    if (!['ternary_expression', 'conditional_expression'].includes(node.type)) return null;
    return last === undefined ? null : `(${text(last)})`;
  },
};

const METHODS: readonly (readonly [string, string])[] = [
  ['min', 'max'],
  ['floor', 'ceil'],
  ['some', 'every'],
  ['any', 'all'],
  ['startsWith', 'endsWith'],
  ['startswith', 'endswith'],
  ['push', 'unshift'],
  ['pop', 'shift'],
  ['indexOf', 'lastIndexOf'],
  ['find', 'rfind'],
  ['toLowerCase', 'toUpperCase'],
  ['lower', 'upper'],
  ['trimStart', 'trimEnd'],
  ['lstrip', 'rstrip'],
  ['starts_with', 'ends_with'],
  ['to_lowercase', 'to_uppercase'],
  ['first', 'last'],
  ['HasPrefix', 'HasSuffix'],
  ['ToLower', 'ToUpper'],
  ['TrimLeft', 'TrimRight'],
  ['anyMatch', 'allMatch'],
];
const PAIRED = new Map(
  METHODS.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]),
);
/** `find` has no `rfind` beside it in JavaScript. */
const ONLY_PYTHON = new Set(['find', 'rfind']);

const swapMethod: Operator = {
  name: 'swap-method',
  isCore: false,
  rewrite(node, parent, source) {
    if (!/^(property_|field_)?identifier$/.test(node.type) || parent === null) return null;
    const isCalled =
      ['property', 'attribute', 'field'].includes(node.field ?? '') ||
      (node.field === 'name' && parent.type === 'method_invocation') ||
      (node.field === 'function' && isPython(source));
    const name = source.text(node);
    if (!isCalled || (ONLY_PYTHON.has(name) && !isPython(source))) return null;
    return PAIRED.get(name) ?? null;
  },
};

export const shapeOperators: readonly Operator[] = [
  swapOperator,
  dropNegation,
  swapArguments,
  dropElse,
  lastBranch,
  swapMethod,
];
