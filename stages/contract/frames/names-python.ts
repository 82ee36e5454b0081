import type { SyntaxNode } from '../../../schemas/syntax.ts';
import type { Binding } from './capture.ts';
import type { Placed } from './syntax.ts';

const words = (text: string) => new Set(text.split(/\s+/u));

const targets =
  words(`pattern_list tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern default_parameter
  typed_parameter typed_default_parameter as_pattern_target parenthesized_expression expression_list tuple list`);

/** Names that an assignment's left side, a parameter or a loop's target bind; attributes and items bind none. */
function targetNames(node: SyntaxNode): SyntaxNode[] {
  if (node.type === 'identifier') return [node];
  if (!targets.has(node.type)) return [];
  const parts = node.children.filter(
    ({ named, field }) => named && field !== 'value' && field !== 'type',
  );
  return parts.flatMap(targetNames);
}

const withField = (node: SyntaxNode, field: string) =>
  node.children.filter((child) => child.field === field);
const all = (names: readonly SyntaxNode[]) => names.map((name) => ({ name, isWide: true }));

function importNames(node: SyntaxNode): SyntaxNode[] {
  return withField(node, 'name').flatMap((name) => {
    if (name.type === 'aliased_import') return withField(name, 'alias');
    return name.children.slice(0, 1);
  });
}

function declares(node: SyntaxNode) {
  switch (node.type) {
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
      return all(withField(node, 'left').flatMap(targetNames));
    case 'named_expression':
    case 'function_definition':
    case 'class_definition':
      return all(withField(node, 'name'));
    case 'parameters':
    case 'lambda_parameters':
      return all(node.children.flatMap(targetNames));
    case 'as_pattern':
      return all(withField(node, 'alias').flatMap(targetNames));
    case 'import_statement':
    case 'import_from_statement':
      return all(importNames(node));
    default:
      return [];
  }
}

/** Members of a class body: methods, decorated ones, and names that are assigned. */
function member(node: SyntaxNode, text: (node: SyntaxNode) => string): string | null {
  if (node.type === 'decorated_definition') {
    const inner = withField(node, 'definition')[0];
    return inner === undefined ? null : member(inner, text);
  }
  if (node.type === 'function_definition' || node.type === 'class_definition')
    return withField(node, 'name').map(text)[0] ?? null;
  const assigned = node.type === 'expression_statement' ? node.children[0] : undefined;
  const left = assigned?.type === 'assignment' ? withField(assigned, 'left')[0] : undefined;
  return left?.type === 'identifier' ? text(left) : null;
}

/** What Python binds, for the capture rule. A name that is bound anywhere in a function is local in all of it. */
export const pythonBinding: Binding = {
  functions: words('function_definition lambda class_definition'),
  blocks: words(''),
  classes: words('block'),
  isName: ({ node, parent }: Placed) =>
    node.type === 'identifier' &&
    node.field !== 'attribute' &&
    parent?.node.type !== 'keyword_argument',
  declares,
  member,
  builtins:
    words(`abs all any ascii bin bool bytearray bytes callable chr classmethod compile complex delattr dict dir divmod
    enumerate eval exec filter float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len
    list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice
    sorted staticmethod str sum super tuple type vars zip Exception ValueError TypeError KeyError IndexError AssertionError
    SystemExit RuntimeError StopIteration NotImplementedError AttributeError OSError`),
};
