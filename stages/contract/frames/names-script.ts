import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { unescaped } from '../lexer.ts';
import type { Binding, Declaration } from './scopes.ts';
import type { Placed } from './syntax.ts';

const words = (text: string) => new Set(text.split(/\s+/u));

const functions =
  words(`function_declaration generator_function_declaration function_expression generator_function
  arrow_function method_definition class_static_block`);

const modules = words('internal_module module');

/** Types too: a name in one must not be taken for a name of the block around it. */
const blocks = words(`statement_block for_statement for_in_statement switch_body catch_clause
  class_declaration abstract_class_declaration class interface_declaration type_alias_declaration function_signature
  method_signature abstract_method_signature call_signature construct_signature function_type constructor_type object_type
  conditional_type`);

/** Identifiers of a pattern that become names: `{ a, b: c = 1, ...d }` gives a, c, d. */
function patternNames(pattern: SyntaxNode): SyntaxNode[] {
  const { type, children } = pattern;
  if (/^(?:identifier|undefined|shorthand_property_identifier_pattern)$/u.test(type))
    return [pattern];
  if (!/pattern$|parameter/u.test(type)) return [];
  const isTyped = type === 'required_parameter' || type === 'optional_parameter';
  return children
    .filter(({ field, named }) => named && field !== 'right' && field !== 'key')
    .filter(({ field }) => !isTyped || field === 'pattern')
    .flatMap(patternNames);
}

const withField = (node: SyntaxNode, field: string) =>
  node.children.filter((child) => child.field === field);
const ofType = (node: SyntaxNode, type: string) =>
  node.children.filter((child) => child.type === type);

type Reach = Declaration['reach'];
const named =
  (reach: Reach, how: Declaration['how'] = 'value') =>
  (names: readonly SyntaxNode[]): Declaration[] =>
    names.map((name) => ({ name, reach, how }));

const own = named('own');
const narrow = named('block');
const wide = named('function');

const declaredBy = (node: SyntaxNode) =>
  ofType(node, 'variable_declarator')
    .flatMap((one) => withField(one, 'name'))
    .flatMap(patternNames);

function loopNames(node: SyntaxNode): Declaration[] {
  const [kind] = withField(node, 'kind');
  if (kind === undefined) return [];
  const names = withField(node, 'left').flatMap(patternNames);
  return kind.type === 'var' ? wide(names) : own(names);
}

function importNames(node: SyntaxNode): SyntaxNode[] {
  const [alias] = withField(node, 'alias');
  return alias ? [alias] : withField(node, 'name');
}

/** `using` is a declaration that the grammar reads as an assignment. */
const usingNames = (node: SyntaxNode) =>
  ofType(node, 'using').length > 0 ? withField(node, 'left').flatMap(patternNames) : [];

type Declares = (node: SyntaxNode) => Declaration[];

const byName: Declares = (node) => narrow(withField(node, 'name'));
const hoisted: Declares = (node) => named('function', 'function')(withField(node, 'name'));
const ownName: Declares = (node) => own(withField(node, 'name'));
const parameter: Declares = (node) => own(withField(node, 'parameter').flatMap(patternNames));
const imported: Declares = (node) => wide(ofType(node, 'identifier').slice(0, 1));

const declares: Readonly<Record<string, Declares>> = {
  variable_declaration: (node) => wide(declaredBy(node)),
  lexical_declaration: (node) => narrow(declaredBy(node)),
  assignment_expression: (node) => narrow(usingNames(node)),
  function_declaration: hoisted,
  generator_function_declaration: hoisted,
  function_signature: hoisted,
  class_declaration: byName,
  abstract_class_declaration: byName,
  enum_declaration: byName,
  internal_module: byName,
  interface_declaration: byName,
  type_alias_declaration: byName,
  type_parameter: byName,
  function_expression: ownName,
  generator_function: ownName,
  class: ownName,
  formal_parameters: (node) => narrow(node.children.flatMap(patternNames)),
  arrow_function: parameter,
  catch_clause: parameter,
  for_in_statement: loopNames,
  infer_type: (node) => narrow(ofType(node, 'type_identifier').slice(0, 1)),
  mapped_type_clause: byName,
  import_clause: imported,
  namespace_import: imported,
  import_require_clause: imported,
  import_alias: imported,
  import_specifier: (node) => wide(importNames(node)),
};

const nameTypes =
  words(`identifier shorthand_property_identifier shorthand_property_identifier_pattern
  type_identifier undefined`);

/** What TypeScript and JavaScript bind, for the capture rule. A `var` and a function reach the whole function. */
export const scriptBinding: Binding = {
  scope: ({ type, named: isNamed }) => {
    if (!isNamed) return null;
    if (functions.has(type)) return 'function';
    if (modules.has(type)) return 'module';
    return blocks.has(type) ? 'block' : null;
  },
  isName: ({ node }: Placed) => nameTypes.has(node.type),
  declares: ({ node }) => (node.named ? (declares[node.type]?.(node) ?? []) : []),
  moves: () => [],
  read: unescaped,
};
