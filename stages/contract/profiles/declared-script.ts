import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { textOf, walk } from '../frames/syntax.ts';
import { unescaped } from '../lexer.ts';
import type { DeclarationSpan } from './profile.ts';

const kinds: Readonly<Record<string, string>> = {
  function_declaration: 'function',
  generator_function_declaration: 'function',
  class_declaration: 'class',
  abstract_class_declaration: 'class',
  interface_declaration: 'interface',
  type_alias_declaration: 'type',
  enum_declaration: 'enum',
  variable_declarator: 'variable',
  method_definition: 'method',
  public_field_definition: 'field',
  field_definition: 'field',
};
const memberTypes = new Set(['method_definition', 'public_field_definition', 'field_definition']);
const bodies =
  /^(?:function_(?:declaration|expression)|generator_function(?:_declaration)?|arrow_function|method_definition|class_static_block)$/u;
const testWords = /^(?:describe|suite|context|it|test)(?:\.\w+)*$/u;

/** The suite or class that names inside a node are told by; null for names that live in a function alone. */
type Outer = { readonly suite: string; readonly owner: string | null };

const withField = (node: SyntaxNode, field: string) =>
  node.children.find((child) => child.field === field);

/** The title of a suite or test; `test.each(table)(title)` too. */
function titleOf(node: SyntaxNode, bytes: Uint8Array): string | null {
  if (node.type !== 'call_expression') return null;
  const called = withField(node, 'function');
  const word = called?.type === 'call_expression' ? withField(called, 'function') : called;
  if (word === undefined || !testWords.test(textOf(word, bytes))) return null;
  const title = withField(node, 'arguments')?.children.find(({ named }) => named);
  if (title?.type !== 'string' && title?.type !== 'template_string') return null;
  return textOf(title, bytes).slice(1, -1);
}

/** Words that may name one declaration: a function that a variable holds, a constant, a getter. */
function kindsOf(node: SyntaxNode, parent: SyntaxNode | undefined): string[] {
  const kind = kinds[node.type];
  if (kind === undefined) return [];
  const has = (type: string) => node.children.some((child) => child.type === type);
  if (kind === 'method' && has('set')) return ['setter'];
  if (kind === 'method' && has('get')) return [kind, 'getter'];
  if (kind !== 'variable') return [kind];
  const isConstant = parent?.children.some(({ type }) => type === 'const');
  const value = withField(node, 'value')?.type ?? '';
  return [kind, ...(isConstant ? ['const'] : []), ...(bodies.test(value) ? ['function'] : [])];
}

function nameOf(node: SyntaxNode, { owner }: Outer, bytes: Uint8Array): string | null {
  const own = withField(node, 'name') ?? withField(node, 'property');
  if (own === undefined || owner === null) return null;
  const name = unescaped(textOf(own, bytes));
  return owner === '' ? name : `${owner}.${name}`;
}

type Place = { readonly node: SyntaxNode; readonly parent: SyntaxNode | undefined };

function declared({ node, parent }: Place, outer: Outer, bytes: Uint8Array): DeclarationSpan[] {
  const isMember = memberTypes.has(node.type);
  if (isMember && parent?.type !== 'class_body') return [];
  const name = nameOf(node, outer, bytes);
  const { start, end } = node;
  return name === null ? [] : kindsOf(node, parent).map((kind) => ({ kind, name, start, end }));
}

function inside(node: SyntaxNode, outer: Outer, bytes: Uint8Array): Outer {
  if (bodies.test(node.type)) return { ...outer, owner: null };
  const isOwner = kinds[node.type] === 'class' || node.type === 'internal_module';
  return isOwner ? { ...outer, owner: nameOf(node, outer, bytes) } : outer;
}

/**
 * Declarations of a file with the path of names that contracts use: members by their class or namespace, tests by their suites.
 * What lives inside a function is nobody's target.
 */
export function scriptDeclarations(root: SyntaxNode, bytes: Uint8Array): DeclarationSpan[] {
  const found: DeclarationSpan[] = [];
  const outers = new Map<SyntaxNode | undefined, Outer>();
  for (const { node, parent } of walk(root)) {
    const outer = outers.get(parent?.node) ?? { suite: '', owner: '' };
    const title = titleOf(node, bytes);
    if (title === null) {
      found.push(...declared({ node, parent: parent?.node }, outer, bytes));
      outers.set(node, inside(node, outer, bytes));
      continue;
    }
    const name = outer.suite === '' ? title : `${outer.suite} > ${title}`;
    found.push({ kind: 'test', name, start: node.start, end: node.end });
    outers.set(node, { ...outer, suite: name });
  }
  return found;
}
