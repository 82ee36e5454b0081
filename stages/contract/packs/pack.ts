/** A language as packs name it; several profiles can share one. */
export type PackLanguage =
  | 'javascript'
  | 'python'
  | 'isabelle'
  | 'rocq'
  | 'lean'
  | 'go'
  | 'rust'
  | 'jvm'
  | 'c';

/**
 * One set of forbidden constructs. A rule is a row of tokens separated by blanks: `a|b` is a choice, `*` any token,
 * `!a|b` in front "not right after this", `~name` a name that protected text declares, `~group` all from a parenthesis to the
 * one that closes it. Strings are written with double quotes, whatever the source uses.
 */
export type Pack = {
  readonly language: PackLanguage;
  readonly tokens: readonly string[];
  /** Read in comments alone. */
  readonly comments: readonly RegExp[];
  /** Read in strings alone. */
  readonly strings?: readonly RegExp[];
  /** Rows of tokens that stand for themselves: here `*` and `|` are signs. */
  readonly literal?: readonly (readonly string[])[];
  /** Names that protected text declares may not get another value, read by the grammar where there is one. */
  readonly keepsNames?: true;
};

/** Packs of one language, from their rules. */
export const packOf =
  (language: PackLanguage) =>
  (
    tokens: readonly string[],
    comments: readonly RegExp[] = [],
    strings: readonly RegExp[] = [],
  ): Pack => ({
    language,
    tokens,
    comments,
    strings,
  });
