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
 * `!a|b` in front "not right after this", `~name` a name that protected text declares. Strings are written with double quotes,
 * whatever the source uses.
 */
export type Pack = {
  readonly language: PackLanguage;
  readonly tokens: readonly string[];
  /** Read in comments alone. */
  readonly comments: readonly RegExp[];
};

/** Packs of one language, from their rules. */
export const packOf =
  (language: PackLanguage) =>
  (tokens: readonly string[], comments: readonly RegExp[] = []): Pack => ({
    language,
    tokens,
    comments,
  });
