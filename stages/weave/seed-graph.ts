import type { Seed, SeedEdge, SeedGraph } from '../../schemas/seed.ts';

/** Lines of an earlier change that a later one rewrote: `head` is the commit that brought them. */
export type BlameHit = { readonly head: string; readonly path: string; readonly lines: number };

/** What is known of a seed's rewritten lines; empty where nothing is. */
export type BlameOf = (seed: string) => readonly BlameHit[];

/**
 * A file or function that everybody touches would join every seed with every other.
 * Each seed is joined with this many before it that touch the same thing; farther ones rarely meet in a line.
 */
const REACH = { symbol: 20, file: 10, test: 5 } as const;

/** Edges between usable seeds of one source, from the earlier to the later; sorted, one per pair and kind. */
export function seedGraph(seeds: readonly Seed[], blameOf: BlameOf): SeedGraph {
  const usable = oldestFirst(seeds.filter(({ rejections }) => rejections.length === 0));
  const edges = [
    ...shared(usable, ({ change }) => change.symbols.filter(isNamed), 'same-symbol', REACH.symbol),
    ...shared(usable, ({ change }) => change.source.map(pathOf), 'same-file', REACH.file),
    ...shared(usable, ({ change }) => change.tests.map(pathOf), 'test-overlap', REACH.test),
    ...blameEdges(usable, blameOf),
    ...threadEdges(usable),
  ];
  return {
    source: seeds[0]?.source ?? '',
    seeds: usable.map(({ id }) => id),
    edges: edges.toSorted(byEnds),
  };
}

/** Seeds in the order of the first-parent line. */
export const oldestFirst = (seeds: readonly Seed[]): readonly Seed[] =>
  seeds.toSorted((left, right) => left.change.position - right.change.position);

/** `path#symbol`; a bare path stands for loose statements or a file without grammar. */
export const isNamed = (symbol: string): boolean => symbol.includes('#');

const pathOf = ({ path }: { readonly path: string }): string => path;
const key = ({ from, to, kind }: SeedEdge): string => `${from} ${to} ${kind}`;
const byEnds = (left: SeedEdge, right: SeedEdge): number => (key(left) < key(right) ? -1 : 1);

/** What one thing in common is worth, and each further one. */
const WEIGHT = {
  'same-symbol': [4, 0.5],
  blame: [3, 0.1],
  'same-file': [2, 0.25],
  'test-overlap': [1, 0.25],
  'thread-link': [1, 0],
} as const satisfies Record<SeedEdge['kind'], readonly [number, number]>;

function edge(
  kind: SeedEdge['kind'],
  from: string,
  to: string,
  evidence: readonly string[],
): SeedEdge {
  const [first, further] = WEIGHT[kind];
  const weight = first + further * Math.min(evidence.length - 1, 3);
  return { from, to, kind, weight, evidence: evidence.slice(0, 5).join(', ') };
}

function shared(
  seeds: readonly Seed[],
  thingsOf: (seed: Seed) => readonly string[],
  kind: SeedEdge['kind'],
  reach: number,
): readonly SeedEdge[] {
  const users = new Map<string, Seed[]>();
  const pairs = new Map<string, { from: string; to: string; things: string[] }>();
  for (const seed of seeds) {
    for (const thing of new Set(thingsOf(seed))) {
      const earlier = users.get(thing) ?? [];
      for (const { id } of earlier.slice(-reach)) {
        const pair = pairs.get(`${id} ${seed.id}`) ?? { from: id, to: seed.id, things: [] };
        pair.things.push(thing);
        pairs.set(`${id} ${seed.id}`, pair);
      }
      users.set(thing, [...earlier, seed]);
    }
  }
  return [...pairs.values()].map(({ from, to, things }) => edge(kind, from, to, things.toSorted()));
}

function blameEdges(seeds: readonly Seed[], blameOf: BlameOf): readonly SeedEdge[] {
  const byHead = new Map(seeds.map((seed) => [seed.change.head, seed]));
  return seeds.flatMap((later) => {
    const hits = new Map<string, string[]>();
    for (const { head, path, lines } of blameOf(later.id)) {
      const earlier = byHead.get(head);
      if (earlier === undefined || earlier.id === later.id) continue;
      const said = `${lines} ${lines === 1 ? 'line' : 'lines'} of ${path}`;
      hits.set(earlier.id, [...(hits.get(earlier.id) ?? []), said]);
    }
    return [...hits].map(([from, evidence]) => edge('blame', from, later.id, evidence));
  });
}

/** Two seeds of one thread, or one whose thread names the other's; of several reasons the first is told. */
function threadEdges(seeds: readonly Seed[]): readonly SeedEdge[] {
  const owners = new Map<number, Seed[]>();
  for (const seed of seeds) {
    for (const thread of seed.threads) owners.set(thread, [...(owners.get(thread) ?? []), seed]);
  }
  const edges = seeds.flatMap((seed) =>
    namedBy(seed).flatMap(({ to, said }) =>
      (owners.get(to) ?? [])
        .filter(({ id }) => id !== seed.id)
        .map((other) => {
          const [first, second] = oldestFirst([seed, other]);
          return edge('thread-link', first?.id ?? '', second?.id ?? '', [said]);
        }),
    ),
  );
  return [...new Map(edges.toReversed().map((link) => [key(link), link])).values()];
}

const namedBy = ({ threads, links }: Seed): readonly { to: number; said: string }[] => [
  ...threads.map((to) => ({ to, said: `both belong to #${to}` })),
  ...links.map(({ to, kind, quote, from }) => ({ to, said: `${kind} in ${from}: "${quote}"` })),
];
