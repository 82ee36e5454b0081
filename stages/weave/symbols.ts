import type { Parse, SyntaxNode } from '../../schemas/syntax.ts';

/** A named piece of a file and its lines, from 1. */
export type Declared = {
  readonly name: string;
  readonly startLine: number;
  readonly endLine: number;
};

/** What has a name of its own and ends the search: its inside belongs to it. */
const LEAVES = new Set([
  'function_declaration',
  'generator_function_declaration',
  'function_signature',
  'function_definition',
  'method_definition',
  'method_signature',
  'abstract_method_signature',
  'public_field_definition',
  'field_definition',
  'interface_declaration',
  'type_alias_declaration',
  'enum_declaration',
  'variable_declarator',
  // Go, Rust, Java
  'method_declaration',
  'constructor_declaration',
  'type_spec',
  'type_alias',
  'const_spec',
  'var_spec',
  'function_item',
  'function_signature_item',
  'struct_item',
  'enum_item',
  'union_item',
  'const_item',
  'static_item',
  'type_item',
  'macro_definition',
]);
const CLASSES = new Set([
  'class_declaration',
  'abstract_class_declaration',
  'class_definition',
  'record_declaration',
  'trait_item',
  'impl_item',
  'mod_item',
]);
const ASSIGNMENTS = new Set(['assignment', 'assignment_expression']);

/** Lists that every addition touches; who shares them shares nothing. */
const LISTS = /^__(?:all|version)__$/;

/** What merely stands around declarations at the top of a file or class. */
const CONTAINERS = new Set([
  'program',
  'module',
  'class_body',
  'block',
  'statement_block',
  'export_statement',
  'ambient_declaration',
  'internal_module',
  'expression_statement',
  'lexical_declaration',
  'variable_declaration',
  'if_statement',
  'else_clause',
  'try_statement',
  'except_clause',
  'source_file',
  'const_declaration',
  'var_declaration',
  'var_spec_list',
  'type_declaration',
  'declaration_list',
  'ERROR',
]);

/** Everything in a file that has a name, outer before inner; null for a language without grammar. */
export function declarationsIn(
  parse: Parse,
  language: string,
  text: Uint8Array,
): readonly Declared[] | null {
  const root = parse(language, text);
  return root === null ? null : symbolsIn(root, text, '');
}

/**
 * Names of the functions, methods and classes in which changed lines lie, sorted: `refill`, `Bucket.take`.
 * An inner function counts as its outermost one; a line of a class outside its methods counts as the class.
 * null for a language without grammar; empty where only imports and loose statements changed.
 */
export function symbolsTouched(
  parse: Parse,
  language: string,
  text: Uint8Array,
  changedLines: readonly number[],
): readonly string[] | null {
  const declared = declarationsIn(parse, language, text);
  return declared === null ? null : namesAt(declared, changedLines);
}

/** The innermost names around some lines, sorted. */
export function namesAt(
  declared: readonly Declared[],
  lines: readonly number[],
): readonly string[] {
  const inside = (line: number) =>
    declared.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine)?.name ?? [];
  return [...new Set(lines.flatMap(inside))].toSorted();
}

/** Outer symbols before inner ones. */
function symbolsIn(node: SyntaxNode, text: Uint8Array, owner: string): readonly Declared[] {
  if (node.type === 'decorated_definition') return decorated(node, text, owner);
  const name = LEAVES.has(node.type) || CLASSES.has(node.type) ? nameOf(node, text) : null;
  if (name !== null) {
    const own = { name: owner + name, startLine: node.startLine, endLine: node.endLine };
    const inner = CLASSES.has(node.type) ? inBody(node, text, `${owner}${name}.`) : [];
    return [own, ...inner];
  }
  if (ASSIGNMENTS.has(node.type)) return assigned(node, text, owner);
  if (!CONTAINERS.has(node.type)) return [];
  return node.children.flatMap((child) => symbolsIn(child, text, owner));
}

const inBody = (node: SyntaxNode, text: Uint8Array, owner: string): readonly Declared[] =>
  node.children
    .filter(({ field }) => field === 'body')
    .flatMap((body) => body.children)
    .flatMap((child) => symbolsIn(child, text, owner));

/** A decorator belongs to what it decorates. */
function decorated(node: SyntaxNode, text: Uint8Array, owner: string): readonly Declared[] {
  const [first, ...inner] = node.children
    .filter(({ field }) => field === 'definition')
    .flatMap((child) => symbolsIn(child, text, owner));
  return first === undefined ? [] : [{ ...first, startLine: node.startLine }, ...inner];
}

/** `x = …` at the top of a Python file; `exports.x = …` and `X.prototype.y = …` in JavaScript. */
function assigned(node: SyntaxNode, text: Uint8Array, owner: string): readonly Declared[] {
  const left = node.children.find(({ field }) => field === 'left');
  const name = left === undefined ? '' : textOf(left, text);
  const plain = name.replace(/^(?:module\.)?exports\./, '').replace('.prototype.', '.');
  if (LISTS.test(plain)) return [];
  if (!/^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(plain)) return [];
  return [{ name: owner + plain, startLine: node.startLine, endLine: node.endLine }];
}

function nameOf(node: SyntaxNode, text: Uint8Array): string | null {
  // An `impl` has no name of its own: it belongs to its type.
  const wanted = node.type === 'impl_item' ? ['type'] : ['name', 'property'];
  const name = node.children.find(({ field }) => wanted.includes(field ?? ''));
  if (name === undefined) return null;
  const plain = textOf(name, text).replace(/^(['"])(.*)\1$/, '$2');
  return `${receiverOf(node, text)}${node.type === 'impl_item' ? plain.replace(/<.*$/su, '') : plain}`;
}

/** The type that a method of Go hangs on, with a dot: `func (t *T) M()` is `T.M`. */
function receiverOf(node: SyntaxNode, text: Uint8Array): string {
  const receiver = node.children.find(({ field }) => field === 'receiver');
  if (receiver === undefined) return '';
  const [, type] =
    /([\p{L}_][\p{L}\p{N}_]*)\s*(?:\[[^\]]*\])?\s*\)$/u.exec(textOf(receiver, text)) ?? [];
  return type === undefined ? '' : `${type}.`;
}

const textOf = ({ start, end }: SyntaxNode, text: Uint8Array): string =>
  new TextDecoder().decode(text.subarray(start, end));
