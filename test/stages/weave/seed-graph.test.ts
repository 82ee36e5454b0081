import { describe, expect, test } from 'vitest';
import { openGit } from '../../../pipeline/repos/git.ts';
import type { Seed } from '../../../schemas/seed.ts';
import { blameEvidence } from '../../../stages/miners/blame-evidence.ts';
import { groupsOf } from '../../../stages/weave/groups-of-seeds.ts';
import { seedGraph } from '../../../stages/weave/seed-graph.ts';
import { tempRepo } from '../../support/temp-repo.ts';

type Small = {
  readonly at: number;
  readonly symbols?: readonly string[];
  readonly files?: readonly string[];
  readonly tests?: readonly string[];
  readonly threads?: readonly number[];
  readonly names?: number;
  readonly refused?: boolean;
};

const file = (path: string) => ({
  path,
  before: 'a'.repeat(40),
  after: 'b'.repeat(40),
  beforeMode: '100644',
  afterMode: '100644',
});

function seed({
  at,
  symbols = [],
  files = [],
  tests = [],
  threads = [],
  names,
  refused,
}: Small): Seed {
  return {
    id: `s${at}`,
    source: 'limiter',
    title: `seed ${at}`,
    statements: [],
    threads: [...threads],
    change: {
      base: `base${at}`,
      head: `head${at}`,
      position: at,
      source: [...new Set([...files, ...symbols.map((symbol) => symbol.split('#')[0] ?? '')])].map(
        file,
      ),
      tests: tests.map(file),
      other: [],
      symbols: [...symbols],
    },
    links: names
      ? [{ from: 'thread:9', to: names, kind: 'follow-up', trust: 'low', quote: `after #${names}` }]
      : [],
    facts: {
      languages: [],
      licence: null,
      createdAt: '',
      mergedAt: '',
      bot: false,
      addedLines: 1,
      removedLines: 1,
      leaks: [],
    },
    rejections: refused ? [{ code: 'no-statement', detail: 'x', evidence: [] }] : [],
  };
}

const edgesOf = (seeds: readonly Seed[]) =>
  seedGraph(seeds, () => []).edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`);

describe('seeds are joined', () => {
  test.each<[string, Small, Small, readonly string[]]>([
    [
      'by a symbol and its file',
      { at: 1, symbols: ['a#f'] },
      { at: 2, symbols: ['a#f', 'a#g'] },
      ['s1 same-file s2', 's1 same-symbol s2'],
    ],
    [
      'by a file alone, where it has no symbols',
      { at: 1, symbols: ['a'] },
      { at: 2, symbols: ['a'] },
      ['s1 same-file s2'],
    ],
    ['by a test file', { at: 1, tests: ['t'] }, { at: 2, tests: ['t'] }, ['s1 test-overlap s2']],
    [
      'by a thread of both',
      { at: 1, threads: [7] },
      { at: 2, threads: [7] },
      ['s1 thread-link s2'],
    ],
    [
      'by a thread that one names',
      { at: 1, threads: [7] },
      { at: 2, names: 7 },
      ['s1 thread-link s2'],
    ],
    ['not by nothing', { at: 1, symbols: ['a#f'] }, { at: 2, symbols: ['b#f'] }, []],
    [
      'not when one is refused',
      { at: 1, symbols: ['a#f'] },
      { at: 2, symbols: ['a#f'], refused: true },
      [],
    ],
  ])('%s', (_, one, two, edges) => {
    expect(edgesOf([seed(two), seed(one)])).toEqual(edges);
  });

  test('by lines that the later one rewrote, as blame tells', async () => {
    const text = (...lines: string[]) => ({ a: `${lines.join('\n')}\n` });
    const repo = await openGit({
      path: tempRepo([
        { message: 'zero', files: text('1', '2', '3') },
        { message: 'one', files: text('1', 'two', '3') },
        { message: 'two', files: text('1', 'TWO', '3') },
      ]),
    });
    const seeds: Seed[] = [];
    for await (const commit of repo.commits({ ref: 'HEAD', max: 2 })) {
      const plain = seed({ at: commit.position });
      seeds.push({
        ...plain,
        change: {
          ...plain.change,
          base: commit.parents[0] ?? '',
          head: commit.hash,
          source: [...commit.changes],
        },
      });
    }
    const graph = seedGraph(seeds, await blameEvidence(repo, seeds));
    expect(graph.edges.filter(({ kind }) => kind === 'blame')).toMatchObject([
      { from: 's1', to: 's2', evidence: '1 line of a' },
    ]);
    await repo.close();
  });

  test('with near ones only, where everybody touches one file', () => {
    const many = Array.from({ length: 100 }, (_, at) => seed({ at, files: ['hub'] }));
    expect(edgesOf(many).length).toBeLessThan(100 * 11);
    expect(edgesOf(many)).toContain('s98 same-file s99');
  });
});

const groups = (seeds: readonly Seed[], k: readonly number[], batch: number, number = 1) =>
  groupsOf(
    seedGraph(seeds, () => []),
    seeds,
    { k, batch, seed: number },
  );

describe('groups', () => {
  const chain = [
    seed({ at: 0, symbols: ['a#f'] }),
    seed({ at: 1, symbols: ['a#f', 'b#g'] }),
    seed({ at: 2, symbols: ['b#g'] }),
    seed({ at: 3, files: ['b'] }),
    seed({ at: 4, symbols: ['z#z'] }),
  ];

  test('are connected, oldest first, and take sizes in turn', () => {
    expect(groups(chain.toReversed(), [2, 3], 4)).toEqual([
      ['s0', 's1'],
      ['s0', 's1', 's2'],
      ['s1', 's2'],
      ['s1', 's2', 's3'],
    ]);
  });

  test('come later when one of them touches everything', () => {
    const everything = Array.from({ length: 40 }, (_, at) => `all#f${at}`);
    const seeds = [
      seed({ at: 0, symbols: ['all#f0', 'a#f'] }),
      seed({ at: 1, symbols: everything }),
      seed({ at: 9, symbols: ['a#f'] }),
    ];
    expect(groups(seeds, [2], 1)).toEqual([['s0', 's9']]);
  });

  test('are no more than there are, and never the same twice', () => {
    const found = groups(chain, [2, 3, 4], 100);
    expect(new Set(found.map(String)).size).toBe(found.length);
    expect(found.flat()).not.toContain('s4');
    expect(groups([], [2], 5)).toEqual([]);
  });

  test('prefer a shared symbol to a shared file, and near to far', () => {
    const seeds = [
      seed({ at: 0, symbols: ['a#f'] }),
      seed({ at: 1, files: ['c'] }),
      seed({ at: 2, files: ['c'] }),
      seed({ at: 400, symbols: ['a#f', 'd#h'] }),
      seed({ at: 401, symbols: ['d#h'] }),
    ];
    expect(groups(seeds, [2], 3)).toEqual([
      ['s400', 's401'],
      ['s0', 's400'],
      ['s1', 's2'],
    ]);
  });

  test('spread over symbols instead of filling up with the busiest', () => {
    const busy = Array.from({ length: 12 }, (_, at) => seed({ at, symbols: ['a#hub'] }));
    const quiet = [seed({ at: 50, symbols: ['q#q'] }), seed({ at: 60, symbols: ['q#q'] })];
    expect(groups([...busy, ...quiet], [2], 2).map(String)).toContain('s50,s60');
  });

  test('are equal for equal numbers, and the number settles ties', () => {
    const even = Array.from({ length: 30 }, (_, at) => seed({ at, symbols: [`f${at >> 1}#x`] }));
    expect(groups(even, [2], 5, 7)).toEqual(groups(even, [2], 5, 7));
    const first = new Set([1, 2, 3, 4, 5].map((number) => String(groups(even, [2], 1, number))));
    expect(first.size).toBeGreaterThan(1);
  });
});
