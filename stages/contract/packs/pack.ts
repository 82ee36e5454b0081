/**
 * One set of forbidden constructs. A rule is a row of tokens separated by blanks: `a|b` is a choice, `*` any token,
 * `!a|b` in front "not right after this". Strings are written with double quotes, whatever the source uses.
 */
export type Pack = {
  readonly language: 'javascript' | 'python';
  readonly tokens: readonly string[];
  /** Read in comments alone. */
  readonly comments: readonly RegExp[];
};
