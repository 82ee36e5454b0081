import { pairLines } from './line-owners.ts';

/** Numbers of changed lines, from 1: `added` in the text after, `removed` in the text before. */
export type LineDiff = { readonly added: readonly number[]; readonly removed: readonly number[] };

/** Which lines a change brought and took; null is a file that is not there. */
export function lineDiff(before: string | null, after: string | null): LineDiff {
  const [left, right] = [linesIn(before), linesIn(after)];
  const pairs = pairLines(left, right);
  const kept = new Set(pairs.values());
  return {
    added: right.flatMap((_, at) => (pairs.has(at) ? [] : [at + 1])),
    removed: left.flatMap((_, at) => (kept.has(at) ? [] : [at + 1])),
  };
}

/** The lines of a text; what follows its last line break is a line only if there is something. */
function linesIn(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
