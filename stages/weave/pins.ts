import type { Tokens } from './tokens.ts';
import { wordsOf } from './tokens.ts';

/** Where a base tree says something: the first place in the order of its paths; lines count from 1. */
type Place = { readonly path: string; readonly line: number };

/** What a base tree already says, in code, tests and documents; null where it does not. */
export type Precedent = {
  readonly hasName: (name: string) => boolean;
  readonly nameAt: (name: string) => Place | null;
  readonly literalAt: (literal: string) => Place | null;
};

type Code = { readonly tests: Tokens; readonly gold: Tokens; readonly base: Precedent };

/** A token that tests pin and the base binds, with the place that binds it. */
export type Bound = Place & { readonly text: string };

/**
 * What the hidden tests fix that only the gold change brings: a reader cannot know it unless it is stated. What the base says
 * already is bound, with its place as evidence.
 */
export function pinsOf({ tests, gold, base }: Code): {
  readonly names: readonly string[];
  readonly literals: readonly string[];
  readonly bound: readonly Bound[];
} {
  const names = [...gold.names].filter((name) => tests.names.has(name)).toSorted();
  const literals = [...gold.literals].filter((literal) => tests.literals.has(literal)).toSorted();
  const boundBy = (texts: readonly string[], at: (text: string) => Place | null) =>
    texts.flatMap((text) => {
      const place = at(text);
      return place === null ? [] : [{ text, ...place }];
    });
  return {
    names: names.filter((name) => !base.hasName(name)),
    literals: literals.filter((literal) => base.literalAt(literal) === null),
    bound: [...boundBy(names, base.nameAt), ...boundBy(literals, base.literalAt)],
  };
}

/** Names that gold brings and no test uses: to state them would give the fix away. */
export const internalNames = ({ tests, gold, base }: Code): readonly string[] =>
  [...gold.names].filter((name) => !tests.names.has(name) && !base.hasName(name)).toSorted();

type Text = { readonly path: string; readonly text: string };

/** Search a base tree by whole words and by text. Each file's words are read once; a place is looked up when it is asked for. */
export function precedentIn(files: readonly Text[]): Precedent {
  const first = new Map<string, Text>();
  for (const file of files)
    for (const word of wordsOf(file.text)) if (!first.has(word)) first.set(word, file);
  return {
    hasName: (name) => first.has(name),
    nameAt: (name) => {
      const file = first.get(name);
      return file === undefined ? null : placeIn(file, wordAt(file.text, name));
    },
    literalAt: (literal) => {
      const file = files.find(({ text }) => text.includes(literal));
      return file === undefined ? null : placeIn(file, file.text.indexOf(literal));
    },
  };
}

const INNER = /[\p{L}\p{N}_$]/u;

/** Where a whole word begins, as `wordsOf` cuts words; the file holds it. */
function wordAt(text: string, name: string): number {
  let at = text.indexOf(name);
  while (at !== -1 && isInside(text, at, name.length)) at = text.indexOf(name, at + 1);
  return Math.max(0, at);
}

const isInside = (text: string, at: number, length: number): boolean =>
  /[\p{L}_$]/u.test(text[at - 1] ?? '') || INNER.test(text[at + length] ?? '');

const placeIn = ({ path, text }: Text, at: number): Place => ({
  path,
  line: text.slice(0, at).split('\n').length,
});
