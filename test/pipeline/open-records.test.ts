import { describe, expect, test } from 'vitest';
import { openLedger } from '../../pipeline/ledger/open.ts';
import { type Mined, minedSources, noteMined } from '../../pipeline/mined.ts';
import { openRecords } from '../../pipeline/open-records.ts';
import { RunConfig } from '../../schemas/run-config.ts';
import { AuthoredDraft } from '../../schemas/seed-pack.ts';
import { stages } from '../../stages/registry.ts';
import { memoryRepo } from '../support/memory-repo.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { littleSource, spec } from '../support/woven.ts';

const clock = { now: () => 1_700_000_000_000 };
const open = () => openLedger({ folder: tempFolder(), mode: 'write', clock });

const commits = [0, 1, 2, 3].map((n) => ({ 'src/a.ts': `${n}\n`, 'test/a.test.ts': `${n}\n` }));
const { seed } = memoryRepo(commits);
const edge = (from: number, to: number) => ({
  from: `s${from}`,
  to: `s${to}`,
  kind: 'same-symbol' as const,
  weight: 1,
  evidence: 'src/a.ts#a',
});

const clause = (id: string, doc: string) => ({
  id,
  text: 'It must hold.',
  quotes: [{ doc, quote: 'must', seed: '' }],
});
const written = AuthoredDraft.parse({
  id: 'written',
  base: 'head',
  requirements: [
    { id: 'R1', title: 'one', clauses: [clause('R1.a', 'thread:2')], interface: [] },
    { id: 'R2', title: 'two', clauses: [clause('R2.a', 'thread:77#1')], interface: [] },
  ],
  couplings: [],
  parts: [{ id: 'g1', needs: ['R1'], files: [], delete: [] }],
  tests: { files: [], traces: [] },
  solos: [],
  probes: [],
  variants: [],
  regions: [],
});

const mined = (change: Partial<Mined> = {}): Mined => ({
  origin: { spec: 'git:./little', threads: null, repo: null },
  source: littleSource,
  spec,
  seeds: [1, 2, 3].map(seed),
  graph: { source: 'little', seeds: ['s1', 's2', 's3'], edges: [edge(1, 2), edge(2, 3)] },
  docs: ['thread:1', 'thread:2', 'thread:3', 'thread:77#1'].map((doc) => ({
    doc,
    sha256: '0'.repeat(64),
  })),
  drafts: [written],
  threads: { read: 3, problems: {} },
  funnel: { commits: 3, usable: 3 },
  ...change,
});
const config = (synthesize: object) => RunConfig.parse({ synthesize: { k: [2], ...synthesize } });

test('what was mined is read back from the ledger as it was; a second time changes nothing', () => {
  const ledger = open();
  noteMined(ledger, mined());
  noteMined(ledger, mined({ seeds: [] }));
  expect(minedSources(ledger)).toEqual([mined()]);
  ledger.close();
});

describe('records are opened', () => {
  test.each([
    ['forward', ['little-written']],
    [
      'history',
      [expect.stringMatching(/^little-h[0-9a-f]{8}$/), expect.stringMatching(/^little-h/)],
    ],
    ['all', ['little-written', expect.any(String), expect.any(String)]],
  ])('in mode %s', (mode, names) => {
    const ledger = open();
    expect(openRecords(ledger, [mined()], config({ mode }))).toEqual(names);
    expect(ledger.records()).toEqual(names);
    ledger.close();
  });

  test.each([
    ['forward', ['little-written', /^little-f/, /^little-f/]],
    ['all', ['little-written', /^little-h/, /^little-h/, /^little-f/, /^little-f/]],
    ['history', [/^little-h/, /^little-h/]],
  ])('in mode %s for a drafter too, on the newest commit', (mode, names) => {
    const ledger = open();
    const models = [{ name: 'pen', provider: 'mailbox' }];
    const named = RunConfig.parse({
      synthesize: { k: [2], mode },
      models,
      roles: { drafter: 'pen' },
    });
    expect(openRecords(ledger, [mined()], named)).toEqual(
      names.map((name) => expect.stringMatching(name)),
    );
    for (const name of ledger.records().filter((record) => record.startsWith('little-f')))
      expect(ledger.fold(name, stages).facts).toMatchObject({
        authored: null,
        forward: { base: littleSource.head },
      });
    ledger.close();
  });

  test('not in forward mode without a drafter and without written drafts: that is a usage error', () => {
    const ledger = open();
    expect(() => openRecords(ledger, [mined({ drafts: [] })], config({ mode: 'forward' }))).toThrow(
      'expected a model under roles.drafter, or a pack with drafts',
    );
    expect(ledger.records()).toEqual([]);
    ledger.close();
  });

  test('at most as many groups as were asked for, shared between the sources', () => {
    const ledger = open();
    const other = mined({ source: { ...littleSource, name: 'other' }, drafts: [] });
    const names = openRecords(ledger, [mined(), other], config({ mode: 'history', batch: 2 }));
    expect(names.map((name) => name.split('-')[0])).toEqual(['little', 'other']);
    ledger.close();
  });

  test('once: the same again finds them open and leaves them as they stand', () => {
    const ledger = open();
    const first = openRecords(ledger, [mined()], config({ mode: 'all' }));
    const before = ledger.events().length;
    expect(openRecords(ledger, [mined()], config({ mode: 'all' }))).toEqual(first);
    expect(ledger.events()).toHaveLength(before);
    ledger.close();
  });

  test('with the facts that drafting needs, and no others', () => {
    const ledger = open();
    const [name = ''] = openRecords(ledger, [mined()], config({ mode: 'history', batch: 1 }));
    const { facts, next } = ledger.fold(name, stages);
    expect(next).toBe('draft');
    expect(Object.keys(facts).toSorted()).toEqual([...(stages[0]?.needs ?? [])].toSorted());
    const { seeds, edges, docs } = facts as Pick<Mined, 'seeds' | 'docs'> & { edges: object[] };
    expect(seeds).toHaveLength(2);
    expect(edges).toHaveLength(1);
    expect(docs.map(({ doc }) => doc)).toEqual(
      seeds.map(({ threads: [number] }) => `thread:${number}`),
    );
    ledger.close();
  });

  test('each quote of a written draft goes to the seed of its thread, or to the thread itself', () => {
    const ledger = open();
    const [name = ''] = openRecords(ledger, [mined()], config({ mode: 'forward' }));
    const { authored, seeds, docs } = ledger.fold(name, stages).facts as {
      authored: AuthoredDraft;
      seeds: { id: string }[];
      docs: { doc: string }[];
    };
    const named = authored.requirements.flatMap(({ clauses }) =>
      clauses.flatMap(({ quotes }) => quotes),
    );
    expect(named.map((quote) => quote.seed)).toEqual(['s2', 'thread-77']);
    expect(seeds.map(({ id }) => id)).toEqual(['s2']);
    expect(docs.map(({ doc }) => doc)).toEqual(['thread:2', 'thread:77#1']);
    ledger.close();
  });
});
