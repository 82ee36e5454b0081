/** Letters to insert, delete or replace until one word is the other. */
function distance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...left].entries()) {
    const row = [i + 1];
    for (const [j, other] of [...right].entries()) {
      const replaced = (above[j] ?? 0) + (letter === other ? 0 : 1);
      row.push(Math.min(replaced, (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    above = row;
  }
  return above.at(-1) ?? 0;
}

/** The known word that was probably meant, or null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  const near = known
    .map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, edits }) => edits < name.length && edits <= Math.max(2, name.length / 3))
    .toSorted((left, right) => left.edits - right.edits);
  return near[0]?.name ?? null;
}

/** The known words for a message, with the probable one first: `"usd" or one of calls, wall_s`. */
export function choices(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  const list = known.length === 0 ? 'nothing here' : `one of ${known.join(', ')}`;
  return meant === null ? list : `${list} (did you mean "${meant}"?)`;
}
