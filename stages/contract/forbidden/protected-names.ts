import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { scriptBinding } from '../frames/names-script.ts';
import { resolve, usesOf } from '../frames/scopes.ts';
import { textOf, walk } from '../frames/syntax.ts';
import { type Token, unescaped } from '../lexer.ts';

const heads = new Set(['function', 'class', 'def', 'import', 'as', '*']);

/** Names that a text declares as functions, classes or imports, by the token before them. */
export function declaredNames(
  tokens: readonly Token[],
  isProtected: (at: number) => boolean,
): Set<string> {
  const names = new Set<string>();
  let inImport = false;
  for (const [at, { text, at: place }] of tokens.entries()) {
    if (text === 'import') inImport = true;
    else if (text === 'from' || text === ';' || text.startsWith('"')) inImport = false;
    const isName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text);
    const isDeclared = heads.has(tokens[at - 1]?.text ?? '') || (inImport && text !== 'import');
    if (isName && isDeclared && isProtected(place)) names.add(text);
  }
  return names;
}

const writes = new Map([
  ['assignment_expression', 'left'],
  ['augmented_assignment_expression', 'left'],
  ['update_expression', 'argument'],
  ['for_in_statement', 'left'],
]);

const targets = new Set([
  'identifier',
  'undefined',
  'shorthand_property_identifier_pattern',
  'shorthand_property_identifier',
]);
/** What a target may be wrapped in: patterns, parentheses, and what TypeScript lets stand around a name. */
const wrappers =
  /pattern$|^(?:parenthesized_expression|non_null_expression|as_expression|satisfies_expression|array|object|pair|spread_element)$/u;

function targetNames(node: SyntaxNode): SyntaxNode[] {
  if (targets.has(node.type)) return [node];
  if (!wrappers.test(node.type)) return [];
  return node.children
    .filter(({ field, named }) => named && field !== 'right' && field !== 'key')
    .flatMap(targetNames);
}

/** Names that a node writes to; a loop that declares its name writes to none. */
function written(node: SyntaxNode): SyntaxNode[] {
  const field = writes.get(node.type);
  if (field === undefined) return [];
  if (node.children.some((child) => child.field === 'kind' || child.type === 'using')) return [];
  return node.children.filter((child) => child.field === field).flatMap(targetNames);
}

/**
 * Where a script gives another value to a name of the module, in bytes: by assignment, by destructuring, by `++` or as the name
 * of a loop. A name that a scope nearer declares is that scope's and no hit.
 */
export function writtenNames(
  root: SyntaxNode,
  bytes: Uint8Array,
  names: ReadonlySet<string>,
): { readonly name: string; readonly at: number }[] {
  const found = [...walk(root)]
    .flatMap(({ node }) => written(node))
    .map((node) => ({ name: unescaped(textOf(node, bytes)), at: node.start }))
    .filter(({ name }) => names.has(name));
  if (found.length === 0) return [];
  const uses = usesOf(root, bytes, [], 'candidate', scriptBinding);
  const homes = new Map(uses.map(({ name, place, scope }) => [place, resolve(scope, name)]));
  return found.filter(({ at }) => homes.get(`+${at}`)?.kind === 'module');
}
