import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { captureHits } from '../frames/capture.ts';
import { indentationHits } from '../frames/indentation.ts';
import { pythonBinding } from '../frames/names-python.ts';
import { partHits } from '../frames/region-kind.ts';
import { type Placed, placeOf, rootOf, type Side, textOf, walk } from '../frames/syntax.ts';
import { lexPython } from '../lex-python.ts';
import { nestedSpans } from '../scanners/python.ts';
import { frameTokens } from '../scanners/spans.ts';
import type { DeclarationSpan, FrameHit, FrameInput, FrameTokens, Profile } from './profile.ts';

/** The grammar's time grows with the square of a run of joined lines; nobody writes so many. */
const joinedLines = /(?:\\\r?\n[ \t]*){100}/u;

function pythonRoot(bytes: Uint8Array, parse: FrameInput['parse']): SyntaxNode {
  if (joinedLines.test(textOf({ start: 0, end: bytes.length }, bytes)))
    throw new Error('more than 100 lines are joined by backslashes');
  return rootOf('python', bytes, parse);
}

/** Names that nobody can list: `import *` may take the place of any protected one. */
function wildcardHits(before: SyntaxNode, after: SyntaxNode, { regions }: FrameInput): FrameHit[] {
  const inBodies = (root: SyntaxNode, side: Side) =>
    [...walk(root)].filter(
      ({ node }) => node.type === 'wildcard_import' && placeOf(node.start, regions, side) === null,
    );
  const [fresh] = inBodies(before, 'base').length > 0 ? [] : inBodies(after, 'candidate');
  if (fresh === undefined) return [];
  const detail = 'an import of names that may be those of protected text';
  return [{ code: 'frame.capture', at: fresh.node.start, detail }];
}

function syntactic(input: FrameInput) {
  const lines = indentationHits(input);
  if (lines.length > 0) return lines;
  const before = pythonRoot(input.base, input.parse);
  const after = pythonRoot(input.candidate, input.parse);
  return [
    ...captureHits(before, after, input, pythonBinding),
    ...wildcardHits(before, after, input),
  ];
}

/**
 * Pieces as Python up to 3.11 reads f-strings and then as later ones do. Both must hold, since which one builds is not known
 * here, and a quote inside a field opens a string for the one alone.
 */
function tokens(_: string, bytes: Uint8Array): FrameTokens {
  const flat = frameTokens(bytes, lexPython);
  const nested = frameTokens(bytes, (text) => ({ spans: nestedSpans(text) }));
  return { tokens: [...flat.tokens, ...nested.tokens], error: flat.error };
}

const child = (node: SyntaxNode, field: string) => node.children.find((one) => one.field === field);

/** The name that a module-level assignment or a definition gives, else null. */
function nameNode({ node, parent }: Placed): SyntaxNode | null {
  if (node.type === 'function_definition' || node.type === 'class_definition')
    return child(node, 'name') ?? null;
  if (node.type !== 'assignment' || parent?.parent?.node.type !== 'module') return null;
  const left = child(node, 'left');
  return left?.type === 'identifier' ? left : null;
}

function kindOf({ type }: SyntaxNode, outer: string): string {
  if (type === 'assignment') return 'variable';
  if (type === 'class_definition') return 'class';
  return outer === '' ? 'function' : 'method';
}

const isTest = (kind: string, text: string) =>
  (kind === 'function' || kind === 'method') && text.startsWith('test');

function declared(placed: Placed, outer: string, bytes: Uint8Array): DeclarationSpan[] {
  const own = nameNode(placed);
  if (own === null) return [];
  const text = textOf(own, bytes).normalize('NFKC');
  const kind = kindOf(placed.node, outer);
  const name = outer === '' ? text : `${outer}.${text}`;
  const { start, end } = placed.node;
  const all = isTest(kind, text) ? [kind, 'test'] : [kind];
  return all.map((one) => ({ kind: one, name, start, end }));
}

function ownerIn(one: DeclarationSpan | undefined, around: string | null): string | null {
  if (one === undefined || one.kind === 'variable') return around;
  return one.kind === 'class' ? one.name : null;
}

/**
 * Functions, classes, methods as `Class.name`, module variables, and tests as pytest names them. What lives inside a function is
 * nobody's target.
 */
function declarations(_: string, bytes: Uint8Array, parse: FrameInput['parse']): DeclarationSpan[] {
  const found: DeclarationSpan[] = [];
  /** The class around, empty at the top, null inside a function. */
  const owners = new Map<SyntaxNode, string | null>();
  for (const placed of walk(pythonRoot(bytes, parse))) {
    const { node, parent } = placed;
    const owner = parent === null ? '' : (owners.get(parent.node) ?? null);
    const [one, ...more] = owner === null ? [] : declared(placed, owner, bytes);
    owners.set(node, ownerIn(one, owner));
    if (one !== undefined) found.push(one, ...more);
  }
  return found;
}

const members = new Set([
  'function_definition',
  'decorated_definition',
  'class_definition',
  'comment',
  'pass_statement',
  'ERROR',
]);

/** A member of a class or module: a definition, a docstring, or a name that is given a value. */
function isMember({ type, children }: SyntaxNode): boolean {
  if (members.has(type)) return true;
  const inner = type === 'expression_statement' ? children[0]?.type : undefined;
  return inner === 'assignment' || inner === 'string';
}

const parts = (isAllowed: (node: SyntaxNode) => boolean) => (input: FrameInput) =>
  partHits(pythonRoot(input.candidate, input.parse), input, isAllowed);

/** Python: own tokenizer, blocks by indentation. */
export const python: Profile = {
  name: 'python',
  extensions: ['.py', '.pyi'],
  tokens,
  syntactic,
  regionKinds: {
    statements: parts(({ type }) => type !== 'future_import_statement'),
    members: parts(isMember),
    any: null,
  },
  declarations,
};
