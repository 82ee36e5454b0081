import type { Parse, SyntaxNode } from '../../../schemas/syntax.ts';
import { rootOf } from '../frames/syntax.ts';
import type { Lexed } from '../lexer.ts';
import { grammarOf } from '../profiles/typescript.ts';
import type { scannerOf } from '../scanners/registry.ts';
import { lexLeaves } from '../scanners/script-leaves.ts';
import { utf8 } from '../text.ts';
import { withEvaluated } from './evaluated.ts';
import { renamed } from './renamed.ts';

type Scanner = NonNullable<ReturnType<typeof scannerOf>>;

/** One text as rules see it: in every way in which a build may read it. */
export type Reading = {
  readonly text: string;
  readonly readings: readonly Lexed[];
  /** The tree of a script, null where there is no grammar. */
  readonly root: SyntaxNode | null;
};

const nothing = new Uint8Array();

/** Null for other languages, and where no grammar is at hand. Throws as `rootOf` does. */
function rootFor(path: string, bytes: Uint8Array, { language }: Scanner, parse: Parse | null) {
  if (language !== 'javascript' || parse === null) return null;
  const grammar = grammarOf(path);
  return parse(grammar, nothing) === null ? null : rootOf(grammar, bytes, parse);
}

/**
 * All readings of a file: as written, with texts that something runs, and with other names for a thing replaced by its own.
 * Null for bytes that are not UTF-8. `parse` null: by tokens alone. Throws on a script that is too large for its grammar.
 */
export function readingOf(
  path: string,
  bytes: Uint8Array,
  scanner: Scanner,
  parse: Parse | null,
): Reading | null {
  const text = utf8(bytes);
  if (text === null) return null;
  const { language, scan, others = [] } = scanner;
  const root = rootFor(path, bytes, scanner, parse);
  const lexed = [
    scan(text),
    ...others.map((other) => other(text)),
    ...(root === null ? [] : [lexLeaves(root, bytes)]),
  ].map((one) => withEvaluated(one, language, scan));
  const again = lexed.flatMap((one): Lexed[] => {
    const tokens = renamed(one.tokens, language);
    return tokens === null ? [] : [{ ...one, tokens }];
  });
  return { text, readings: [...lexed, ...again], root };
}
