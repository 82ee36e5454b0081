import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { captureHits } from '../frames/capture.ts';
import { pythonBinding } from '../frames/names-python.ts';
import { pythonLineHits } from '../frames/python-lines.ts';
import { partHits } from '../frames/region-kind.ts';
import { type Placed, rootOf, textOf, walk } from '../frames/syntax.ts';
import { lexPython } from '../lex-python.ts';
import { frameTokens } from '../scanners/spans.ts';
import type { DeclarationSpan, FrameInput, Profile } from './profile.ts';

function syntactic(input: FrameInput) {
  const lines = pythonLineHits(input);
  if (lines.length > 0) return lines;
  const before = rootOf('python', input.base, input.parse);
  const after = rootOf('python', input.candidate, input.parse);
  return captureHits(before, after, input, pythonBinding);
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

/** Functions, classes, methods as `Class.name`, module variables, and tests as pytest names them. */
function declarations(_: string, bytes: Uint8Array, parse: FrameInput['parse']): DeclarationSpan[] {
  const found: DeclarationSpan[] = [];
  const classes = new Map<SyntaxNode | undefined, string>();
  for (const placed of walk(rootOf('python', bytes, parse))) {
    const { node, parent } = placed;
    const outer = classes.get(parent?.node) ?? '';
    classes.set(node, outer);
    const own = nameNode(placed);
    if (own === null) continue;
    const text = textOf(own, bytes);
    const kind = kindOf(node, outer);
    const one = {
      name: outer === '' ? text : `${outer}.${text}`,
      start: node.start,
      end: node.end,
    };
    found.push({ ...one, kind });
    if (/^(?:function|method)$/u.test(kind) && /^test/u.test(text))
      found.push({ ...one, kind: 'test' });
    classes.set(node, kind === 'class' ? one.name : '');
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
  partHits(rootOf('python', input.candidate, input.parse), input, isAllowed);

/** Python: own tokenizer, blocks by indentation. */
export const python: Profile = {
  name: 'python',
  extensions: ['.py', '.pyi'],
  tokens: (_, bytes) => frameTokens(bytes, lexPython),
  syntactic,
  regionKinds: {
    statements: parts(({ type }) => type !== 'future_import_statement'),
    members: parts(isMember),
    any: null,
  },
  declarations,
};
