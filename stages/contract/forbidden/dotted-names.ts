import type { Token } from '../lexer.ts';

/** What a name stands for, as the tokens that it was taken from. */
export type Names = Map<string, readonly string[]>;

export const isWord = (text: string | undefined): text is string =>
  text !== undefined && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text);
export const isString = (text: string | undefined): text is string =>
  text?.startsWith('"') === true;
const MAX_PATH = 9;

/** A dotted name from a place on, and where it ends. */
export function pathAt(tokens: readonly Token[], from: number): { path: string[]; end: number } {
  const path: string[] = [];
  let end = from;
  while (isWord(tokens[end]?.text) && path.length < MAX_PATH) {
    path.push(tokens[end]?.text ?? '');
    end += 1;
    if (tokens[end]?.text !== '.') break;
    path.push('.');
    end += 1;
  }
  return { path, end };
}
