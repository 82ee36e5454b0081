import type { Parse, SyntaxNode } from '../../../schemas/syntax.ts';
import type { TreeEntry } from '../../../schemas/tree.ts';
import { hasGrammar, rootOf } from '../frames/syntax.ts';
import type { Lexed, Token } from '../lexer.ts';
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

/** Null for other languages, and where no grammar is at hand. Throws as `rootOf` does. */
function rootFor(path: string, bytes: Uint8Array, { language }: Scanner, parse: Parse | null) {
  if (language !== 'javascript' || parse === null) return null;
  const grammar = grammarOf(path);
  return hasGrammar(grammar, parse) ? rootOf(grammar, bytes, parse) : null;
}

const sameToken = (left: Token, right: Token | undefined) =>
  left.text === right?.text && left.at === right.at && left.isCode === right.isCode;

const sameTokens = (left: readonly Token[], right: readonly Token[]) =>
  left.length === right.length && left.every((token, at) => sameToken(token, right[at]));

/** Readings without those that tell nothing that one before them does not tell. */
const distinct = (all: readonly Lexed[]): readonly Lexed[] =>
  all.filter(
    (one, at) =>
      !all
        .slice(0, at)
        .some(
          (other) =>
            sameTokens(one.tokens, other.tokens) && sameTokens(one.comments, other.comments),
        ),
  );

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
  const lexed = distinct([
    scan(text),
    ...others.map((other) => other(text)),
    ...(root === null ? [] : [lexLeaves(root, bytes)]),
  ]).map((one) => withEvaluated(one, language, scan));
  const again = lexed.flatMap((one): Lexed[] => {
    const tokens = renamed(one.tokens, language);
    return tokens === null ? [] : [{ ...one, tokens }];
  });
  return { text, readings: [...lexed, ...again], root };
}

type Known = {
  readonly scanner: Scanner;
  readonly parse: Parse | null;
  readonly reading: Reading | null;
};

/** Readings of files that many candidates share, as long as somebody holds the tree of which they are part. */
const known = new WeakMap<TreeEntry, Known>();

/** A larger file's reading takes too much memory to be kept beside the next one's. */
const MAX_KEPT_BYTES = 256 * 1024;

/** `readingOf` a file of the base, which is the same for every candidate of it; `entry` names the bytes. */
export function baseReadingOf(
  entry: TreeEntry,
  bytes: Uint8Array,
  scanner: Scanner,
  parse: Parse | null,
): Reading | null {
  const before = known.get(entry);
  if (before?.scanner === scanner && before.parse === parse) return before.reading;
  const reading = readingOf(entry.path, bytes, scanner, parse);
  if (bytes.length <= MAX_KEPT_BYTES) known.set(entry, { scanner, parse, reading });
  return reading;
}
