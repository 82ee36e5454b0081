import { fileURLToPath } from 'node:url';
import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter';
import type { Parse, SyntaxNode } from '../../schemas/syntax.ts';
import { Fault } from '../../stages/fault.ts';
import { readText } from './offsets.ts';

const GRAMMARS = ['typescript', 'tsx', 'javascript', 'python'] as const;

/** Load the grammars once; what comes back parses at once, without waiting. */
export async function openParse(): Promise<Parse> {
  try {
    await Parser.init();
    const loaded = await Promise.all(
      GRAMMARS.map(async (name) => [name, await load(name)] as const),
    );
    const parser = new Parser();
    const languages = new Map<string, Language>(loaded);
    return (language, bytes) => {
      const grammar = languages.get(language);
      return grammar === undefined ? null : parseWith(parser.setLanguage(grammar), bytes);
    };
  } catch (cause) {
    throw new Fault(`parser failed to load: ${String(cause)}. Install the packages again.`, {
      code: 'parser-missing',
      cause,
    });
  }
}

const load = (name: string): Promise<Language> =>
  Language.load(
    fileURLToPath(import.meta.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`)),
  );

function parseWith(parser: Parser, bytes: Uint8Array): SyntaxNode | null {
  const { text, byteAt } = readText(bytes);
  const tree = parser.parse(text);
  return tree === null ? null : plainTree(tree, byteAt);
}

type Open = SyntaxNode & { readonly children: SyntaxNode[] };

/**
 * Copies a tree out of WebAssembly and frees it there; nothing else would.
 * Walks by cursor with its own stack, since a generated file can nest deeper than calls can.
 */
function plainTree(tree: Tree, byteAt: (unit: number) => number): SyntaxNode {
  const cursor = tree.walk();
  try {
    const root = plainNode(cursor, byteAt);
    const above = [root];
    let more = cursor.gotoFirstChild();
    for (;;) {
      while (!more && above.length > 1) {
        above.pop();
        cursor.gotoParent();
        more = cursor.gotoNextSibling();
      }
      if (!more) return root;
      const node = plainNode(cursor, byteAt);
      above.at(-1)?.children.push(node);
      more = cursor.gotoFirstChild();
      if (more) above.push(node);
      else more = cursor.gotoNextSibling();
    }
  } finally {
    cursor.delete();
    tree.delete();
  }
}

function plainNode(cursor: TreeCursor, byteAt: (unit: number) => number): Open {
  return {
    type: cursor.nodeType,
    named: cursor.nodeIsNamed,
    start: byteAt(cursor.startIndex),
    end: byteAt(cursor.endIndex),
    startLine: cursor.startPosition.row + 1,
    endLine: cursor.endPosition.row + 1,
    field: cursor.currentFieldName,
    children: [],
  };
}
