import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { isPython, namedChildren, type Operator } from './operator.ts';

const stepDown: Operator = {
  name: 'off-by-one-down',
  isCore: false,
  rewrite: (node, _parent, { text }) =>
    ['number', 'integer'].includes(node.type) && /^[1-9]\d{0,8}$/.test(text(node))
      ? String(Number(text(node)) - 1)
      : null,
};

/** Names of modules, keys and docstrings are strings too; to change these breaks or does nothing. */
const NO_VALUE = new Set([
  'import_statement',
  'import_from_statement',
  'export_statement',
  'import_require_clause',
  'literal_type',
  'expression_statement',
]);

const isValue = ({ field }: SyntaxNode, parent: SyntaxNode | null): boolean =>
  parent !== null && !NO_VALUE.has(parent.type) && field !== 'key' && field !== 'name';

/** A string becomes empty, and an empty one becomes a word. */
const otherString: Operator = {
  name: 'other-string',
  isCore: false,
  rewrite(node, parent, { text }) {
    if (node.type !== 'string' || !isValue(node, parent)) return null;
    const inner = /^(['"])([^\n]*)\1$/.exec(text(node));
    if (inner === null) return null;
    const quote = inner[1] ?? '';
    return inner[2] === '' ? `${quote}mutant${quote}` : quote + quote;
  },
};

const EMPTY: Readonly<Record<string, string>> = {
  array: '[]',
  list: '[]',
  object: '({})',
  dictionary: '{}',
};

const emptyCollection: Operator = {
  name: 'empty-collection',
  isCore: false,
  rewrite: (node) => (namedChildren(node).length > 0 ? (EMPTY[node.type] ?? null) : null),
};

/** A function that hands something back hands back nothing. */
const returnNothing: Operator = {
  name: 'return-nothing',
  isCore: false,
  rewrite(node, _parent, source) {
    const [value] = namedChildren(node);
    if (node.type !== 'return_statement' || value === undefined) return null;
    const nothing = isPython(source) ? 'None' : 'undefined';
    if (source.text(value) === nothing) return null;
    return isPython(source) ? 'return None' : 'return undefined;';
  },
};

export const valueOperators: readonly Operator[] = [
  stepDown,
  otherString,
  emptyCollection,
  returnNothing,
];
