import { fileURLToPath } from 'node:url';
import { Language, Parser, type Tree, type TreeCursor } from 'web-tree-sitter';
import type { Parse, SyntaxNode } from '../../schemas/syntax.ts';
import { Fault } from '../../stages/fault.ts';
import { type OffsetText, readText } from './offsets.ts';

const GRAMMARS = ['typescript', 'tsx', 'javascript', 'python', 'go', 'rust', 'java'] as const;

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
  const places = readText(bytes);
  const tree = parser.parse(places.text);
  return tree === null ? null : plainTree(tree, places);
}

type Open = SyntaxNode & { readonly children: SyntaxNode[] };

/**
 * Copies a tree out of WebAssembly and frees it there; nothing else would.
 * Walks by cursor with its own stack, since a generated file can nest deeper than calls can.
 */
function plainTree(tree: Tree, places: OffsetText): SyntaxNode {
  const kinds = kindsOf(tree.language);
  const cursor = tree.walk();
  try {
    const root = plainNode(cursor, places, kinds);
    const above = [root];
    let more = cursor.gotoFirstChild();
    for (;;) {
      while (!more && above.length > 1) {
        above.pop();
        cursor.gotoParent();
        more = cursor.gotoNextSibling();
      }
      if (!more) return root;
      const node = plainNode(cursor, places, kinds);
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

type Kind = Pick<SyntaxNode, 'type' | 'named'>;
type Kinds = (cursor: TreeCursor) => Kind;

const kindsByLanguage = new WeakMap<Language, Kinds>();

/** Names of a grammar's kinds of nodes, each asked for once. */
function kindsOf(language: Language): Kinds {
  const known = kindsByLanguage.get(language);
  if (known !== undefined) return known;
  const byId = new Map<number, Kind>();
  const kinds = (cursor: TreeCursor) => {
    const id = cursor.nodeTypeId;
    const kind = byId.get(id) ?? { type: cursor.nodeType, named: cursor.nodeIsNamed };
    byId.set(id, kind);
    return kind;
  };
  kindsByLanguage.set(language, kinds);
  return kinds;
}

/** Each question to the cursor crosses into WebAssembly, which takes most of a copy's time: lines are told from offsets. */
function plainNode(cursor: TreeCursor, { byteAt, lineAt }: OffsetText, kinds: Kinds): Open {
  const { startIndex, endIndex } = cursor;
  const { type, named } = kinds(cursor);
  return {
    type,
    named,
    start: byteAt(startIndex),
    end: byteAt(endIndex),
    startLine: lineAt(startIndex),
    endLine: lineAt(endIndex),
    field: cursor.currentFieldName,
    children: [],
  };
}
