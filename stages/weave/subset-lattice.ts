/** One subset of the requirements, in their order; `name` as printed, such as `G|{R1,R3}`. */
export type Subset = { readonly name: string; readonly members: readonly string[] };

/** All subsets up to four requirements; above that: none, singles, complements, declared pairs and all. Smallest first. */
export function subsetsOf(
  ids: readonly string[],
  pairs: readonly (readonly [string, string])[],
): readonly Subset[] {
  const chosen = ids.length <= 4 ? powerSet(ids) : sparse(ids, pairs);
  const inOrder = chosen.map((members) => ids.filter((id) => members.includes(id)));
  const unique = new Map(inOrder.map((members) => [members.join(), members]));
  return [...unique.values()]
    .toSorted((left, right) => left.length - right.length || (left.join() < right.join() ? -1 : 1))
    .map((members) => ({ name: subsetName(members, ids), members }));
}

/** B for none, G for all, `G|{…}` between. */
export function subsetName(members: readonly string[], ids: readonly string[]): string {
  if (members.length === 0) return 'B';
  return members.length === ids.length ? 'G' : `G|{${members.join(',')}}`;
}

function powerSet(ids: readonly string[]): readonly (readonly string[])[] {
  const [first, ...rest] = ids;
  if (first === undefined) return [[]];
  const without = powerSet(rest);
  return [...without, ...without.map((members) => [first, ...members])];
}

const sparse = (
  ids: readonly string[],
  pairs: readonly (readonly [string, string])[],
): readonly (readonly string[])[] => [
  [],
  ...ids.map((id) => [id]),
  ...ids.map((id) => ids.filter((other) => other !== id)),
  ...pairs.map((pair) => [...pair]),
  ids,
];
