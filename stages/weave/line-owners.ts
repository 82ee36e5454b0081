/**
 * For each line of the last text, which step of the chain brought it: 0 for the first text, i for step i.
 * Lines are compared as text; equal heads and tails are paired first, the rest by longest common subsequence.
 */
export function lineOwners(chain: readonly (string | null)[]): readonly number[] {
  let lines: readonly string[] = [];
  let owners: readonly number[] = [];
  for (const [step, text] of chain.entries()) {
    const next = text === null ? [] : text.split('\n');
    const pairs = pairLines(lines, next);
    owners = next.map((_, at) => {
      const from = pairs.get(at);
      return from === undefined ? step : (owners[from] ?? step);
    });
    lines = next;
  }
  return owners;
}

/** Index of the line after -> index of the line before, for lines that stayed. */
export function pairLines(
  before: readonly string[],
  after: readonly string[],
): Map<number, number> {
  const pairs = new Map<number, number>();
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) {
    pairs.set(head, head);
    head += 1;
  }
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before[before.length - 1 - tail] === after[after.length - 1 - tail]) {
    pairs.set(after.length - 1 - tail, before.length - 1 - tail);
    tail += 1;
  }
  const middle = (lines: readonly string[]) => lines.slice(head, lines.length - tail);
  for (const [to, from] of longestCommon(middle(before), middle(after)))
    pairs.set(to + head, from + head);
  return pairs;
}

const MAX_CELLS = 4_000_000;

/** Pairs (after, before) of a longest common subsequence; none where the table would be too large. */
function longestCommon(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [number, number])[] {
  if ((before.length + 1) * (after.length + 1) > MAX_CELLS) return [];
  const length = commonLengths(before, after);
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) pairs.push([column++, row++]);
    else if (length(row + 1, column) >= length(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** How many lines the two have in common from a row and a column on. */
function commonLengths(
  before: readonly string[],
  after: readonly string[],
): (row: number, column: number) => number {
  const width = after.length + 1;
  const table = new Uint32Array((before.length + 1) * width);
  const length = (row: number, column: number) => table[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      table[row * width + column] =
        before[row] === after[column]
          ? length(row + 1, column + 1) + 1
          : Math.max(length(row + 1, column), length(row, column + 1));
  return length;
}
