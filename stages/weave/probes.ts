import type { SyntaxNode } from '../../schemas/syntax.ts';

/** Where a probe stands: the bytes of the statement that it speaks of. */
export type Place = {
  readonly start: number;
  readonly end: number;
  /** The blanks that a probe on a line of its own stands after; null: it stands on the statement's line. */
  readonly indent: string | null;
};

const LISTS = new Set(['program', 'statement_block', 'switch_case', 'switch_default']);
/** These do nothing when they are come upon, or must come first. */
const SILENT = new Set([
  'comment',
  'empty_statement',
  'import_statement',
  'function_declaration',
  'generator_function_declaration',
  'function_signature',
  'interface_declaration',
  'type_alias_declaration',
  'ambient_declaration',
  'function_definition',
  'class_definition',
  'decorated_definition',
  'future_import_statement',
]);
const COMPOUND = new Set([
  'if_statement',
  'for_statement',
  'while_statement',
  'try_statement',
  'with_statement',
  'match_statement',
]);
const VALUES = new Set(['lexical_declaration', 'variable_declaration']);

const isPython = (language: string): boolean => language === 'python';

const isWords = ({ type, children }: SyntaxNode): boolean =>
  type === 'expression_statement' && children[0]?.type === 'string';

function isHeard(node: SyntaxNode): boolean {
  if (!node.named || SILENT.has(node.type) || isWords(node)) return false;
  return node.type !== 'export_statement' || node.children.some(({ type }) => VALUES.has(type));
}

/** Nothing below runs, or the text is not read whole. */
const isClosed = ({ type }: SyntaxNode): boolean => type === 'ambient_declaration';

function isBroken(node: SyntaxNode): boolean {
  return node.type === 'ERROR' || node.children.some(isBroken);
}

/** The members of a list of statements; empty for any other node. */
function statementsIn(node: SyntaxNode, language: string): readonly SyntaxNode[] {
  const { type, children } = node;
  const isList = isPython(language) ? type === 'module' || type === 'block' : LISTS.has(type);
  if (!isList) return [];
  const isOwn = ({ field }: SyntaxNode) => type !== 'switch_case' || field === 'body';
  return children.filter((child) => isOwn(child) && isHeard(child));
}

/**
 * The statements of a text that a probe can stand before; null for a text that its grammar does not read whole. Above a statement of
 * several lines Python's probe needs a line of its own.
 */
export function placesOf(
  root: SyntaxNode,
  bytes: Uint8Array,
  language: string,
): readonly Place[] | null {
  if (isBroken(root)) return null;
  const found: Place[] = [];
  const indentOf = indentIn(bytes);
  const add = ({ type, start, end }: SyntaxNode) => {
    const needsLine = isPython(language) && COMPOUND.has(type);
    const indent = needsLine ? indentOf(start) : null;
    if (!needsLine || indent !== null) found.push({ start, end, indent });
  };
  const visit = (node: SyntaxNode): void => {
    if (isClosed(node)) return;
    for (const statement of statementsIn(node, language)) add(statement);
    for (const child of node.children) visit(child);
  };
  visit(root);
  return found;
}

const LINE_FEED = 10;

/** The blanks from the start of a line to a place on it; null where something else stands there. */
function indentIn(bytes: Uint8Array): (at: number) => string | null {
  const decoder = new TextDecoder();
  return (at) => {
    const from = bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
    const text = decoder.decode(bytes.subarray(at === 0 ? 0 : from, at));
    return /^[ \t]*$/.test(text) ? text : null;
  };
}

/** The text with a call before each place, which tells the place's number: `first` for the first of them. */
export function withProbes(
  bytes: Uint8Array,
  places: readonly Place[],
  language: string,
  first: number,
): Uint8Array {
  const encoder = new TextEncoder();
  const numbered = places.map((place, index) => ({ ...place, id: first + index }));
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { start, id, indent } of numbered.toSorted((one, other) => one.start - other.start)) {
    const call = isPython(language) ? `csw_ran(${id})` : `globalThis.csw_ran?.(${id})`;
    parts.push(bytes.subarray(at, start));
    parts.push(encoder.encode(indent === null ? `${call};` : `${call}\n${indent}`));
    at = start;
  }
  parts.push(bytes.subarray(at));
  return joined(parts);
}

/** A test file of JavaScript that says its own name when it runs; Python's runner says it of itself. */
export function withName(bytes: Uint8Array, path: string, language: string): Uint8Array {
  if (isPython(language)) return bytes;
  const call = `\n;globalThis.csw_ran?.(${JSON.stringify(path)});\n`;
  return joined([bytes, new TextEncoder().encode(call)]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
