import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { captureHits } from '../frames/capture.ts';
import { endingHits } from '../frames/endings-script.ts';
import { memberHits } from '../frames/members-script.ts';
import { scriptBinding } from '../frames/names-script.ts';
import { partHits } from '../frames/region-kind.ts';
import { skeletonHits } from '../frames/skeleton.ts';
import { rootOf, textOf, walk } from '../frames/syntax.ts';
import { lexJavascript } from '../lex-javascript.ts';
import { frameTokens } from '../scanners/spans.ts';
import type { DeclarationSpan, FrameInput, Profile } from './profile.ts';

function grammarOf(path: string): string {
  if (/\.tsx$/u.test(path)) return 'tsx';
  return /\.[cm]?jsx?$/u.test(path) ? 'javascript' : 'typescript';
}

function syntactic(input: FrameInput) {
  const grammar = grammarOf(input.path);
  const before = rootOf(grammar, input.base, input.parse);
  const after = rootOf(grammar, input.candidate, input.parse);
  const { tokens } = frameTokens(input.candidate, lexJavascript);
  const extent = [...skeletonHits(before, after, input), ...endingHits(after, input, tokens)];
  if (extent.length > 0) return extent.slice(0, 3);
  return [...captureHits(before, after, input, scriptBinding), ...memberHits(before, after, input)];
}

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
const classKinds = new Set(['class', 'interface']);
const memberKinds = new Set(['method', 'field']);
const testWords = /^(?:describe|suite|it|test)(?:\.\w+)*$/u;

type Found = { readonly path: string; readonly isTest: boolean };

function titleOf(node: SyntaxNode, bytes: Uint8Array): string | null {
  if (node.type !== 'call_expression') return null;
  const called = node.children.find(({ field }) => field === 'function');
  if (called === undefined || !testWords.test(textOf(called, bytes))) return null;
  const title = node.children
    .find(({ field }) => field === 'arguments')
    ?.children.find(({ named }) => named);
  if (title?.type !== 'string' && title?.type !== 'template_string') return null;
  return textOf(title, bytes).slice(1, -1);
}

type Named = Pick<DeclarationSpan, 'kind' | 'name'>;

function testOf(node: SyntaxNode, outer: Found, bytes: Uint8Array): Named | null {
  const title = titleOf(node, bytes);
  if (title === null) return null;
  return { kind: 'test', name: outer.isTest ? `${outer.path} > ${title}` : title };
}

function declared(node: SyntaxNode, outer: Found, bytes: Uint8Array): Named | null {
  const kind = kinds[node.type];
  const own = node.children.find(({ field }) => field === 'name' || field === 'property');
  if (kind === undefined || own === undefined) return null;
  const text = textOf(own, bytes);
  const isMember = memberKinds.has(kind) && outer.path !== '' && !outer.isTest;
  return { kind, name: isMember ? `${outer.path}.${text}` : text };
}

/** The path that names inside a node carry on: of its class, or of its suite. */
function pathIn({ kind, name }: Named, outer: Found): Found {
  if (kind === 'test') return { path: name, isTest: true };
  return classKinds.has(kind) ? { path: name, isTest: false } : outer;
}

/** Declarations with the path of names that contracts use: members by their class, tests by their suites. */
function declarations(
  path: string,
  bytes: Uint8Array,
  parse: FrameInput['parse'],
): DeclarationSpan[] {
  const found: DeclarationSpan[] = [];
  const paths = new Map<SyntaxNode | undefined, Found>();
  const none = { path: '', isTest: false };
  for (const { node, parent } of walk(rootOf(grammarOf(path), bytes, parse))) {
    const outer = paths.get(parent?.node) ?? none;
    const one = testOf(node, outer, bytes) ?? declared(node, outer, bytes);
    paths.set(node, one === null ? outer : pathIn(one, outer));
    if (one !== null) found.push({ ...one, start: node.start, end: node.end });
  }
  return found;
}

const statementsDenied = new Set(['import_statement', 'export_statement']);
const members = new Set(
  `method_definition public_field_definition field_definition method_signature abstract_method_signature
  index_signature decorator comment ; function_declaration generator_function_declaration class_declaration
  abstract_class_declaration lexical_declaration variable_declaration interface_declaration type_alias_declaration
  enum_declaration export_statement ERROR`.split(/\s+/u),
);

const parts = (isAllowed: (node: SyntaxNode) => boolean) => (input: FrameInput) =>
  partHits(rootOf(grammarOf(input.path), input.candidate, input.parse), input, isAllowed);

/** TypeScript and JavaScript: own lexer, grammar by the file's extension. */
export const typescript: Profile = {
  name: 'typescript',
  extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
  tokens: (_, bytes) => frameTokens(bytes, lexJavascript),
  syntactic,
  regionKinds: {
    statements: parts(({ type }) => !statementsDenied.has(type)),
    members: parts(({ type }) => members.has(type)),
    any: null,
  },
  declarations,
};
