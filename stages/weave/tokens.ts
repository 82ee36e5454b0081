import type { Parse, SyntaxNode } from '../../schemas/syntax.ts';

/** Names and literals of some code, each once. */
export type Tokens = {
  readonly names: ReadonlySet<string>;
  readonly literals: ReadonlySet<string>;
};

const NAME = /identifier|^type_identifier$/;
const LITERAL = /^(string_fragment|string_content|template_string)$/;
const WORD = /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u;

/** Names and string literals of several texts, by their syntax; a text without grammar gives its words as names. */
export function tokensOf(
  texts: readonly { readonly language: string; readonly bytes: Uint8Array }[],
  parse: Parse,
): Tokens {
  const names = new Set<string>();
  const literals = new Set<string>();
  for (const { language, bytes } of texts) {
    const root = parse(language, bytes);
    if (root === null) for (const word of wordsOf(decode(bytes))) names.add(word);
    else collect(root, bytes, names, literals);
  }
  return { names, literals };
}

function collect(
  node: SyntaxNode,
  bytes: Uint8Array,
  names: Set<string>,
  literals: Set<string>,
): void {
  const text = () => decode(bytes.subarray(node.start, node.end)).trim();
  if (NAME.test(node.type) && node.children.length === 0) {
    if (WORD.test(text())) names.add(text());
    return;
  }
  if (LITERAL.test(node.type)) {
    if (text().length >= 2) literals.add(text());
  }
  for (const child of node.children) collect(child, bytes, names, literals);
}

/** Whole words of a prose or code text. */
export const wordsOf = (text: string): readonly string[] =>
  text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];

/** A name that no one writes by chance in prose: it has an inner capital, a digit or an underscore. */
export const isCodeName = (name: string): boolean => /[\p{Ll}\d]\p{Lu}|_|\d/u.test(name);

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
