import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { Binding } from './capture.ts';
import type { Placed } from './syntax.ts';

const words = (text: string) => new Set(text.split(/\s+/u));

const functions =
  words(`function_declaration generator_function_declaration function_expression generator_function
  arrow_function method_definition`);

const namesOfImport = ({ children }: SyntaxNode): SyntaxNode[] => {
  const alias = children.find(({ field }) => field === 'alias');
  const name = children.find(({ field }) => field === 'name');
  return [alias ?? name].filter((node) => node !== undefined);
};

/** Identifiers of a pattern that become names: `{ a, b: c = 1, ...d }` gives a, c, d. */
function patternNames(pattern: SyntaxNode): SyntaxNode[] {
  const { type, children } = pattern;
  if (type === 'identifier' || type === 'shorthand_property_identifier_pattern') return [pattern];
  const parts = children.filter(
    ({ field, named }) => named && field !== 'right' && field !== 'key',
  );
  const inner =
    type === 'required_parameter' || type === 'optional_parameter'
      ? parts.filter(({ field }) => field === 'pattern')
      : parts;
  const isPattern = /pattern$|parameter/u.test(type);
  return isPattern ? inner.flatMap(patternNames) : [];
}

const named = (node: SyntaxNode) => node.children.filter(({ field }) => field === 'name');
const wide = (names: readonly SyntaxNode[]) => names.map((name) => ({ name, isWide: true }));
const narrow = (names: readonly SyntaxNode[]) => names.map((name) => ({ name, isWide: false }));

function declares(node: SyntaxNode) {
  switch (node.type) {
    case 'variable_declaration':
    case 'lexical_declaration': {
      const heads = node.children
        .filter(({ type }) => type === 'variable_declarator')
        .flatMap(named);
      const names = heads.flatMap(patternNames);
      return node.type === 'variable_declaration' ? wide(names) : narrow(names);
    }
    case 'function_declaration':
    case 'generator_function_declaration':
      return wide(named(node));
    case 'class_declaration':
    case 'abstract_class_declaration':
    case 'enum_declaration':
    case 'internal_module':
      return narrow(named(node));
    case 'formal_parameters':
      return wide(node.children.flatMap(patternNames));
    case 'arrow_function':
    case 'catch_clause':
      return wide(node.children.filter(({ field }) => field === 'parameter').flatMap(patternNames));
    case 'for_in_statement':
      return narrow(node.children.filter(({ field }) => field === 'left').flatMap(patternNames));
    case 'import_clause':
      return wide(node.children.filter(({ type }) => type === 'identifier'));
    case 'namespace_import':
      return wide(node.children.filter(({ type }) => type === 'identifier'));
    case 'import_specifier':
      return wide(namesOfImport(node));
    default:
      return [];
  }
}

const nameTypes = words('identifier shorthand_property_identifier type_identifier');

const memberTypes = words(
  `method_definition public_field_definition field_definition method_signature abstract_method_signature`,
);

/** A member's name with what makes it another member: static ones and accessors live beside others of the name. */
function member({ type, children }: SyntaxNode, text: (node: SyntaxNode) => string): string | null {
  if (!memberTypes.has(type)) return null;
  const name = children.find(({ field }) => field === 'name' || field === 'property');
  if (name === undefined) return null;
  const marks = children
    .map((child) => child.type)
    .filter((mark) => /^(?:static|get|set)$/u.test(mark));
  return [...marks, text(name)].join(' ');
}

/** What TypeScript and JavaScript bind, for the capture rule. A `var` and a function reach the whole function. */
export const scriptBinding: Binding = {
  functions,
  blocks: words(
    'statement_block for_statement for_in_statement switch_body catch_clause class_body',
  ),
  classes: words('class_body'),
  isName: ({ node }: Placed) => nameTypes.has(node.type),
  declares,
  member,
  builtins:
    words(`Array ArrayBuffer BigInt Boolean Buffer Date Error EvalError Function Infinity Int32Array Intl JSON Map Math NaN
    Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URL Uint8Array
    WeakMap WeakSet clearInterval clearTimeout console decodeURIComponent encodeURIComponent eval fetch globalThis isFinite isNaN
    parseFloat parseInt process queueMicrotask require setInterval setTimeout structuredClone undefined window document module
    exports TextDecoder TextEncoder crypto performance assert expect`),
};
