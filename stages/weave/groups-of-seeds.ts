import type { Seed, SeedGraph } from '../../schemas/seed.ts';
import { randomFrom } from './random.ts';
import { isNamed, oldestFirst } from './seed-graph.ts';

type Choice = { readonly k: readonly number[]; readonly batch: number; readonly seed: number };
type Group = { readonly ids: readonly string[]; readonly score: number };
type Pairs = ReadonlyMap<string, number>;

/** How many groups of one size are carried on to the next, and how many ways each is carried on. */
const BEAM = 2000;
const WAYS = 4;

/** What a group loses for a seed or symbol that an earlier group holds: less than the step from symbol to file. */
const REUSE = 3;

/**
 * Connected groups of usable seeds, at most `batch`, sizes taking turns as `k` lists them; ids oldest first.
 * Best first by what the seeds share (symbol, then rewritten lines, then file, then thread), by how near they lie and how
 * little else they touch;
 * a seed or symbol that is in a group already counts less, so that one busy function does not fill the batch.
 * Equal input gives equal groups; `seed` settles only what is otherwise equal.
 */
export function groupsOf(
  graph: SeedGraph,
  seeds: readonly Seed[],
  { k, batch, seed }: Choice,
): string[][] {
  const known = new Map(seeds.map((found) => [found.id, found]));
  const usable = ({ from, to }: { from: string; to: string }) =>
    [from, to].every((id) => known.get(id)?.rejections.length === 0);
  const pairs = pairScores({ ...graph, edges: graph.edges.filter(usable) }, known);
  const bySize = candidates(pairs, Math.max(2, ...k));
  const random = randomFrom(seed);
  const open = new Map(
    [...new Set(k)].map((size) => [
      size,
      (bySize.get(size) ?? []).map((group) => ({ ...group, score: group.score + random() * 0.01 })),
    ]),
  );
  const order = (ids: readonly string[]) =>
    oldestFirst(ids.flatMap((id) => known.get(id) ?? [])).map(({ id }) => id);
  return choose(open, { k, batch, seed }, known).map(({ ids }) => order(ids));
}

const TIER = { 'same-symbol': 30, blame: 20, 'same-file': 10, 'test-overlap': 2, 'thread-link': 1 };

const pairKey = (left: string, right: string): string =>
  left < right ? `${left} ${right}` : `${right} ${left}`;

/** The strongest tie decides, further ties add their weight, distance in the history takes away. */
function pairScores({ edges }: SeedGraph, known: ReadonlyMap<string, Seed>): Pairs {
  const ties = new Map<string, { best: number; sum: number }>();
  for (const { from, to, kind, weight } of edges) {
    const tie = ties.get(pairKey(from, to)) ?? { best: 0, sum: 0 };
    ties.set(pairKey(from, to), {
      best: Math.max(tie.best, TIER[kind]),
      sum: tie.sum + Math.min(weight, 6) / 3,
    });
  }
  const position = (id: string) => known.get(id)?.change.position ?? 0;
  const scored = [...ties].map(([key, { best, sum }]) => {
    const [left = '', right = ''] = key.split(' ');
    const distance = Math.abs(position(left) - position(right));
    const away =
      Math.min(4.5, Math.log2(1 + distance) / 2) + sweep(known.get(left), known.get(right));
    return [key, best + Math.min(sum, 5) - away] as const;
  });
  return new Map(scored.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** As many symbols as an ordinary change touches, and what a pair may lose at most for touching more. */
const ORDINARY = 6;
const MOST_SWEEP = 6;

/** A change of everything (type hints, a new formatter) shares a symbol with everyone and meets nobody. */
function sweep(...pair: readonly (Seed | undefined)[]): number {
  const most = Math.max(...pair.map((seed) => seed?.change.symbols.filter(isNamed).length ?? 0));
  return Math.min(MOST_SWEEP, 3 * Math.log2(Math.max(1, most / ORDINARY)));
}

/** Groups of every size up to `largest`, each grown from smaller ones along the best ties. */
function candidates(pairs: Pairs, largest: number): ReadonlyMap<number, readonly Group[]> {
  const neighbours = new Map<string, string[]>();
  for (const key of pairs.keys()) {
    const [left = '', right = ''] = key.split(' ');
    neighbours.set(left, [...(neighbours.get(left) ?? []), right]);
    neighbours.set(right, [...(neighbours.get(right) ?? []), left]);
  }
  let groups = best([...pairs].map(([key, score]) => ({ ids: key.split(' '), score })));
  const sizes = new Map<number, readonly Group[]>([[2, groups]]);
  for (let size = 3; size <= largest; size++) {
    groups = best(groups.flatMap((group) => grow(group, neighbours, pairs)));
    sizes.set(size, groups);
  }
  return sizes;
}

function grow(
  { ids }: Group,
  neighbours: ReadonlyMap<string, readonly string[]>,
  pairs: Pairs,
): readonly Group[] {
  const next = new Set(ids.flatMap((id) => neighbours.get(id) ?? []));
  const grown = [...next]
    .filter((id) => !ids.includes(id))
    .map((id) => scored([...ids, id].toSorted(), pairs));
  return grown.toSorted(byScore).slice(0, WAYS);
}

/** The mean of the ties that hold a group together at least: a third seed on a thin thread is worth little. */
function scored(ids: readonly string[], pairs: Pairs): Group {
  const ties = ids.flatMap((left, at) =>
    ids.slice(at + 1).flatMap((right) => pairs.get(pairKey(left, right)) ?? []),
  );
  const holding = ties.toSorted((left, right) => right - left).slice(0, ids.length - 1);
  const spare = ties.length - holding.length;
  return { ids, score: holding.reduce((sum, tie) => sum + tie, 0) / (ids.length - 1) + spare };
}

const byScore = (left: Group, right: Group): number =>
  right.score - left.score || (left.ids.join() < right.ids.join() ? -1 : 1);

const best = (groups: readonly Group[]): readonly Group[] =>
  [...new Map(groups.map((group) => [group.ids.join(), group])).values()]
    .toSorted(byScore)
    .slice(0, BEAM);

/** Take the best that is left, again and again, sizes in turn; what was used before weighs against a group. */
function choose(
  open: Map<number, readonly Group[]>,
  { k, batch }: Choice,
  known: ReadonlyMap<string, Seed>,
): readonly Group[] {
  const chosen: Group[] = [];
  const used = new Map<string, number>();
  const worth = ({ ids, score }: Group) =>
    thingsOf(ids, known).reduce((sum, thing) => sum - REUSE * (used.get(thing) ?? 0), score);
  for (let turn = 0; chosen.length < batch; turn++) {
    const sizes = k.map((_, at) => k[(turn + at) % k.length] ?? 2);
    const size = sizes.find((wanted) => (open.get(wanted) ?? []).length > 0);
    if (size === undefined) return chosen;
    const [first] = (open.get(size) ?? [])
      .map((group) => ({ group, score: worth(group), ids: group.ids }))
      .toSorted(byScore);
    if (first === undefined) return chosen;
    chosen.push(first.group);
    open.set(
      size,
      (open.get(size) ?? []).filter((group) => group !== first.group),
    );
    for (const thing of thingsOf(first.ids, known)) used.set(thing, (used.get(thing) ?? 0) + 1);
  }
  return chosen;
}

/** The seeds themselves and the symbols that at least two of them touch. */
function thingsOf(ids: readonly string[], known: ReadonlyMap<string, Seed>): readonly string[] {
  const touched = ids.flatMap((id) => known.get(id)?.change.symbols.filter(isNamed) ?? []);
  const common = new Set(touched.filter((symbol, at) => touched.indexOf(symbol) !== at));
  return [...ids, ...common];
}
