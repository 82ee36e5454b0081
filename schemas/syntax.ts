/** A node of a parsed file; offsets in bytes of the UTF-8 text, lines from 1. */
export type SyntaxNode = {
  readonly type: string;
  readonly named: boolean;
  readonly start: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly field: string | null;
  readonly children: readonly SyntaxNode[];
};

/** null for a language without grammar. Never throws; a broken text gives a tree with `ERROR` nodes. */
export type Parse = (language: string, text: Uint8Array) => SyntaxNode | null;
