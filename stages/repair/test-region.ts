import type { SyntaxNode } from '../../schemas/syntax.ts';

/** The bytes [start, end) of a test's own body: title, other tests, fixtures and imports lie outside. */
export type TestRegion = { readonly start: number; readonly end: number };

/** The body of the test that is defined on a line, or null where the syntax does not show one. */
export function testRegion(
  root: SyntaxNode,
  bytes: Uint8Array,
  line: number,
  language: string,
): TestRegion | null {
  const block = language === 'python' ? pythonBody(root, line) : scriptBody(root, line);
  if (block === null) return null;
  return language === 'python' ? wholeLines(block, bytes) : between(block, bytes);
}

/** `test('…', () => { … })`: the block of the last function among the arguments of a call on that line. */
function scriptBody(root: SyntaxNode, line: number): SyntaxNode | null {
  const call = firstOn(
    root,
    line,
    (node) => node.type === 'call_expression' && bodyOf(node) !== null,
  );
  return call === null ? null : bodyOf(call);
}

function bodyOf(call: SyntaxNode): SyntaxNode | null {
  const given = call.children.find(({ type }) => type === 'arguments')?.children ?? [];
  const functions = given.filter(({ type }) =>
    /^(arrow_function|function_expression|function)$/.test(type),
  );
  return functions.at(-1)?.children.find(({ type }) => type === 'statement_block') ?? null;
}

function pythonBody(root: SyntaxNode, line: number): SyntaxNode | null {
  const found = firstOn(root, line, ({ type }) => /^(function|decorated)_definition$/.test(type));
  // A runner names a decorated test by the line of its first decorator.
  const own = found?.children.find(({ type }) => type === 'function_definition') ?? found;
  return own?.children.find(({ type }) => type === 'block') ?? null;
}

function firstOn(
  node: SyntaxNode,
  line: number,
  fits: (node: SyntaxNode) => boolean,
): SyntaxNode | null {
  if (node.startLine === line && fits(node)) return node;
  for (const child of node.children) {
    if (child.startLine > line || child.endLine < line) continue;
    const found = firstOn(child, line, fits);
    if (found !== null) return found;
  }
  return null;
}

const LF = 10;

/** Inside the braces, from the line after `{` to the line of `}` when they stand on different lines. */
function between(
  { start, end, startLine, endLine }: SyntaxNode,
  bytes: Uint8Array,
): TestRegion | null {
  if (startLine === endLine) return null;
  const from = bytes.indexOf(LF, start) + 1;
  const to = bytes.lastIndexOf(LF, end - 1) + 1;
  return from > 0 && to > from ? { start: from, end: to } : null;
}

/** A Python block as whole lines, its final line end included; null where it shares a line with its `def`. */
function wholeLines({ start, end }: SyntaxNode, bytes: Uint8Array): TestRegion | null {
  const from = bytes.lastIndexOf(LF, start - 1) + 1;
  const indent = new TextDecoder().decode(bytes.subarray(from, start));
  if (indent.trim() !== '') return null;
  const after = bytes.indexOf(LF, Math.max(end - 1, start));
  return { start: from, end: after === -1 ? bytes.length : after + 1 };
}
