import type { SyntaxNode } from '../../../schemas/syntax.ts';
import { captureHits } from '../frames/capture.ts';
import { endingHits } from '../frames/endings-script.ts';
import { memberHits } from '../frames/members-script.ts';
import { scriptBinding } from '../frames/names-script.ts';
import { partHits } from '../frames/region-kind.ts';
import { skeletonHits } from '../frames/skeleton.ts';
import { rootOf } from '../frames/syntax.ts';
import { lexJavascript } from '../lex-javascript.ts';
import { frameTokens } from '../scanners/spans.ts';
import { scriptDeclarations } from './declared-script.ts';
import type { FrameInput, Profile } from './profile.ts';

/** The grammar of a file, by its extension. */
export function grammarOf(path: string): string {
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
  declarations: (path, bytes, parse) =>
    scriptDeclarations(rootOf(grammarOf(path), bytes, parse), bytes),
};
