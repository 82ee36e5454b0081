import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { isNumber } from './core.ts';
import { isPython, namedChildren, type Operator } from './operator.ts';

const stepDown: Operator = {
  name: 'off-by-one-down',
  isCore: false,
  rewrite: (node, _parent, { text }) =>
    isNumber(node) && /^[1-9]\d{0,8}$/.test(text(node)) ? String(Number(text(node)) - 1) : null,
};

/** Names of modules, keys and docstrings are strings too; to change these breaks or does nothing. */
const NO_VALUE = new Set([
  'import_statement',
  'import_from_statement',
  'export_statement',
  'import_require_clause',
  'literal_type',
  'expression_statement',
  'import_spec',
  'field_declaration',
  'attribute',
  'element_value_pair',
  'annotation_argument_list',
  'token_tree',
]);
const STRINGS = new Set(['string', 'interpreted_string_literal', 'string_literal']);
const UNTYPED = new Set(['typescript', 'tsx', 'javascript', 'python']);

const isValue = ({ field }: SyntaxNode, parent: SyntaxNode | null): boolean =>
  parent !== null && !NO_VALUE.has(parent.type) && field !== 'key' && field !== 'name';

/** A string becomes empty, and an empty one becomes a word. */
const otherString: Operator = {
  name: 'other-string',
  isCore: false,
  rewrite(node, parent, { text }) {
    if (!STRINGS.has(node.type) || !isValue(node, parent)) return null;
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

/** A function that hands something back hands back nothing; where compilers hold it to a type, nothing is no value. */
const returnNothing: Operator = {
  name: 'return-nothing',
  isCore: false,
  rewrite(node, _parent, source) {
    const [value] = namedChildren(node);
    if (!UNTYPED.has(source.language)) return null;
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
