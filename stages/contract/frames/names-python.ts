import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { Binding, Declaration } from './scopes.ts';
import type { Placed } from './syntax.ts';

const words = (text: string) => new Set(text.split(/\s+/u));

const comprehensions = words(
  'list_comprehension set_comprehension dictionary_comprehension generator_expression',
);

const targets =
  words(`pattern_list tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern default_parameter
  typed_parameter typed_default_parameter as_pattern_target parenthesized_expression expression_list tuple list list_splat
  type`);

/** Names that an assignment's left side, a parameter or a loop's target bind; attributes and items bind none. */
function targetNames(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'identifier') return [node];
  if (!targets.has(node.type)) return [];
  return node.children
    .filter(({ named, field }) => named && field !== 'value' && field !== 'type')
    .flatMap(targetNames);
}

const withField = (node: SyntaxNode, field: string) =>
  node.children.filter((child) => child.field === field);

const bound =
  (reach: Declaration['reach'], how: Declaration['how'] = 'value') =>
  (names: readonly SyntaxNode[]): Declaration[] =>
    names.map((name) => ({ name, reach, how }));

const local = bound('function');
const narrow = bound('block');

/** `import a.b` binds `a`, `import a.b as c` binds `c`. */
function importNames(node: SyntaxNode): SyntaxNode[] {
  return withField(node, 'name').flatMap((name) => {
    if (name.type === 'aliased_import') return withField(name, 'alias');
    return name.children.slice(0, 1);
  });
}

/** A pattern of one bare name takes whatever comes; a dotted one compares. */
function matchedName(node: SyntaxNode | undefined): SyntaxNode[] {
  return node?.type === 'dotted_name' && node.children.length === 1 ? [...node.children] : [];
}

const lastName = ({ children }: SyntaxNode) =>
  children.slice(-1).filter(({ type }) => type === 'identifier');

function aliasNames(node: SyntaxNode): SyntaxNode[] {
  const alias = withField(node, 'alias');
  return alias.length > 0 ? alias.flatMap(targetNames) : lastName(node);
}

type Declares = (node: SyntaxNode) => Declaration[];

const left: Declares = (node) => local(withField(node, 'left').flatMap(targetNames));
const byName: Declares = (node) => local(withField(node, 'name'));
const parameters: Declares = (node) => narrow(node.children.flatMap(targetNames));

const declares: Readonly<Record<string, Declares>> = {
  assignment: left,
  augmented_assignment: (node) =>
    bound('function', 'update')(withField(node, 'left').flatMap(targetNames)),
  for_statement: left,
  type_alias_statement: left,
  for_in_clause: (node) => narrow(withField(node, 'left').flatMap(targetNames)),
  named_expression: byName,
  function_definition: byName,
  class_definition: byName,
  parameters,
  lambda_parameters: parameters,
  as_pattern: (node) => local(aliasNames(node)),
  case_pattern: (node) => local(matchedName(node.children[0])),
  keyword_pattern: (node) => local(matchedName(node.children.at(-1))),
  splat_pattern: (node) => local(lastName(node)),
  delete_statement: (node) => local(node.children.flatMap(targetNames)),
  import_statement: (node) => local(importNames(node)),
  import_from_statement: (node) => local(importNames(node)),
};

/** Not an attribute, the name of an argument, or a part of a module's path. */
function isName({ node, parent }: Placed): boolean {
  if (node.type !== 'identifier' || node.field === 'attribute') return false;
  const around = parent?.node;
  if (around?.type === 'keyword_argument') return node.field !== 'name';
  if (around?.type === 'keyword_pattern') return false;
  if (around?.type !== 'dotted_name') return true;
  const isPath =
    around.field === 'module_name' || /^(?:aliased|relative)_import$/u.test(typeAbove(parent));
  return !isPath && around.children[0] === node;
}

const typeAbove = (placed: Placed | null) => placed?.parent?.node.type ?? '';

const moved = (node: SyntaxNode, to: 'module' | 'outer') =>
  node.children.filter(({ type }) => type === 'identifier').map((name) => ({ name, to }));

/** What Python binds, for the capture rule. A name that is bound anywhere in a function is local in all of it. */
export const pythonBinding: Binding = {
  scope: ({ type }) => {
    if (type === 'function_definition' || type === 'lambda') return 'function';
    if (type === 'class_definition') return 'class';
    return comprehensions.has(type) ? 'block' : null;
  },
  isName,
  declares: ({ node }) => declares[node.type]?.(node) ?? [],
  moves: (node) => {
    if (node.type === 'global_statement') return moved(node, 'module');
    return node.type === 'nonlocal_statement' ? moved(node, 'outer') : [];
  },
  read: (text) => text.normalize('NFKC'),
};
