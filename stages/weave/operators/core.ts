import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { isPython, type Operator } from './operator.ts';

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
  'assignment_statement',
  'inc_statement',
  'dec_statement',
  'enhanced_for_statement',
]);
const CONDITIONAL = new Set([
  'if_statement',
  'while_statement',
  'elif_clause',
  'ternary_expression',
  'if_expression',
  'while_expression',
]);
/** `if let` binds names and has no other side. */
const BINDS = new Set(['let_condition', 'let_chain']);
const NUMBERS = new Set([
  'number',
  'integer',
  'int_literal',
  'integer_literal',
  'decimal_integer_literal',
]);

export const isNumber = ({ type }: SyntaxNode): boolean => NUMBERS.has(type);
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

/** Drop a statement whole; Python needs something in its place. A docstring or a bare name does nothing anyway. */
const dropStatement: Operator = {
  name: 'drop-statement',
  isCore: true,
  rewrite({ type, children }, parent, source) {
    const isOnlyWords =
      type === 'expression_statement' && ['string', 'identifier'].includes(children[0]?.type ?? '');
    if (!DROPPED.has(type) || isOnlyWords) return null;
    if (parent?.type === 'expression_statement') return null;
    return isPython(source) ? 'pass' : '{}';
  },
};

const negateCondition: Operator = {
  name: 'negate-condition',
  isCore: true,
  rewrite(node, parent, source) {
    if (node.field !== 'condition' || parent === null || !CONDITIONAL.has(parent.type)) return null;
    if (BINDS.has(node.type)) return null;
    const inner = source.text(node);
    return isPython(source) ? `not (${inner})` : `(!(${inner}))`;
  },
};

const shiftBound: Operator = {
  name: 'shift-bound',
  isCore: true,
  rewrite(node, parent, { text }) {
    if (node.named || parent === null) return null;
    return /binary|comparison|boolean/.test(parent.type) ? (BOUNDS[text(node)] ?? null) : null;
  },
};

const stepNumber: Operator = {
  name: 'off-by-one',
  isCore: true,
  rewrite: (node, _parent, { text }) =>
    isNumber(node) && /^\d{1,9}$/.test(text(node)) ? String(Number(text(node)) + 1) : null,
};

const flipBoolean: Operator = {
  name: 'flip-boolean',
  isCore: true,
  rewrite({ type }, _parent, source) {
    if (type !== 'true' && type !== 'false') return null;
    const isTrue = type === 'true';
    if (isPython(source)) return isTrue ? 'False' : 'True';
    return isTrue ? 'false' : 'true';
  },
};

/** The order counts: of two changes at one place the earlier operator's comes first. */
export const coreOperators: readonly Operator[] = [
  dropStatement,
  negateCondition,
  shiftBound,
  stepNumber,
  flipBoolean,
];
