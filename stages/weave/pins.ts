import type { Tokens } from './tokens.ts';
import { wordsOf } from './tokens.ts';

/** What a base tree already says, in code, tests and documents. */
export type Precedent = {
  readonly hasName: (name: string) => boolean;
  readonly hasLiteral: (literal: string) => boolean;
};

type Code = { readonly tests: Tokens; readonly gold: Tokens; readonly base: Precedent };

/** What the hidden tests fix that only the gold change brings: a reader cannot know it unless it is stated. */
export function pinsOf({ tests, gold, base }: Code): {
  readonly names: readonly string[];
  readonly literals: readonly string[];
} {
  return {
    names: [...gold.names]
      .filter((name) => tests.names.has(name) && !base.hasName(name))
      .toSorted(),
    literals: [...gold.literals]
      .filter((literal) => tests.literals.has(literal) && !base.hasLiteral(literal))
      .toSorted(),
  };
}

/** Names that gold brings and no test uses: to state them would give the fix away. */
export const internalNames = ({ tests, gold, base }: Code): readonly string[] =>
  [...gold.names].filter((name) => !tests.names.has(name) && !base.hasName(name)).toSorted();

/** Search a base tree by whole words and by text. */
export function precedentIn(texts: readonly string[]): Precedent {
  const words = new Set(texts.flatMap(wordsOf));
  return {
    hasName: (name) => words.has(name),
    hasLiteral: (literal) => texts.some((text) => text.includes(literal)),
  };
}
