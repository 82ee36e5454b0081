/** Numbers in [0, 1) from a seed, the same on every machine (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A shuffled copy. */
export function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  const keyed = items.map((item) => ({ item, key: random() }));
  return keyed.toSorted((left, right) => left.key - right.key).map(({ item }) => item);
}
