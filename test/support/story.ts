import { openPatches } from '../../pipeline/repos/patches.ts';
import { ReleaseFacts, type ReleaseInput } from '../../schemas/release-input.ts';
import type { Patches } from '../../stages/context.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { type MemoryLedger, memoryLedger } from './memory-ledger.ts';
import { history } from './story-history.ts';
import { keepTree, specFor } from './test-run.ts';

type Files = Readonly<Record<string, string>>;

/** A limiter of calls with two faults; each has its requirement, and together they have a third test. */
const limiter = (allow: string, left: string) => `const MAX = 3;

export const allow = (call) => ${allow};

export const left = (calls) => ${left};
`;

const hidden = `import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allow, left } from '../src/limit.mjs';

describe('limit', () => {
  test('refuses the fourth call', () => assert.equal(allow(4), false));
  test('never counts below zero', () => assert.equal(left(5), 0));
  test('each allowed call uses one', () => {
    for (const n of [1, 2, 3, 4, 5]) assert.equal(left(n - 1) - left(n), Number(allow(n)));
  });
});
`;

const visible = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allow, left } from '../src/limit.mjs';

test('allows the third call', () => assert.equal(allow(3), true));
test('counts from three', () => assert.equal(left(0), 3));
`;

const base: Files = {
  LICENSE: 'MIT License\n\nPermission is hereby granted, free of charge.\n',
  'README.md': '# limiter\n',
  'src/limit.mjs': limiter('call <= 4', 'MAX - calls'),
  'test/limit.test.mjs': visible,
};

const solved = (allow: string, left: string): Files => ({
  ...base,
  'src/limit.mjs': limiter(allow, left),
});

/** The trees of the story by name; `gold` has both parts. */
export const storyFiles = {
  base,
  r1: solved('call <= MAX', 'MAX - calls'),
  r2: solved('call <= 4', 'Math.max(0, MAX - calls)'),
  gold: solved('call <= MAX', 'Math.max(0, MAX - calls)'),
} as const satisfies Record<string, Files>;

const hiddenPath = 'test/rules.test.mjs';
const titled = (title: string) => `${hiddenPath} > limit > ${title}`;
const ids = {
  r1: titled('refuses the fourth call'),
  r2: titled('never counts below zero'),
  edge: titled('each allowed call uses one'),
  p2p: ['test/limit.test.mjs > allows the third call', 'test/limit.test.mjs > counts from three'],
};

const requirement = (id: string, title: string) => ({
  id,
  title,
  clauses: [
    { id: `${id}.a`, text: title, quotes: [{ doc: 'thread:7', quote: title, seed: `seed-${id}` }] },
  ],
  seeds: [`seed-${id}`],
  interface: ['allow', 'left'],
});

function taskOf(ledger: MemoryLedger, trees: Record<keyof typeof storyFiles, string>) {
  const overlay = [{ path: hiddenPath, sha256: ledger.put(Buffer.from(hidden)) }];
  return {
    id: 'acme-limiter.1',
    revision: 1,
    mode: 'history',
    source: 'limiter',
    seeds: ['seed-R1', 'seed-R2'],
    statement:
      '`src/limit.mjs` decides which calls pass.\n\n1. The fourth and later calls are refused.\n2. Calls left never go below zero – not even then.\n',
    requirements: [
      requirement('R1', 'The fourth and later calls are refused.'),
      requirement('R2', 'Calls left never go below zero.'),
    ],
    couplings: [{ from: 'R1', to: 'R2', kind: 'constrains', text: 'An allowed call uses one.' }],
    base: {
      commit: '6c1ea64e5d6ecc837414d5f7df9ddb59ae4d7179',
      commitTree: trees.gold,
      tree: trees.base,
      createdAt: '2026-11-30T00:00:00Z',
    },
    gold: [
      { id: 'g1', needs: ['R1'], before: trees.base, after: trees.r1 },
      { id: 'g2', needs: ['R2'], before: trees.r1, after: trees.gold },
    ],
    tests: { overlay, files: [hiddenPath], regression: ['test/limit.test.mjs'], traces: [] },
    environment: specFor('node-test', { language: 'javascript' }),
    contract: {
      contract: 1,
      id: 'limiter-1',
      base: { manifest: `sha256:${trees.base}` },
      editable: [{ file: 'src/limit.mjs', whole_file: true, max_bytes: 2048 }],
      create: [{ glob: 'src/*.mjs', max_files: 1, max_bytes: 2048 }],
      forbidden: { packs: ['ts/skip', 'ts/exit'] },
    },
    solos: [],
    probes: [],
    variants: [],
  };
}

type Cell = 'pass' | 'fail';
const rowOf = (name: string, subset: string[], tree: string, verdicts: readonly Cell[]) => ({
  name,
  subset,
  tree,
  run: sha256(`run ${name}`),
  cells: ['T1', 'T2', 'T12', 'P'].map((group, at) => {
    const total = group === 'P' ? 2 : 1;
    const verdict = verdicts[at] ?? 'fail';
    return { group, verdict, passed: verdict === 'pass' ? total : 0, total };
  }),
});

function instanceOf(trees: Record<keyof typeof storyFiles, string>) {
  const group = (name: string, kind: string, refs: string[], list: string[]) => {
    return { name, kind, refs, ids: list };
  };
  const edge = { from: 'R1', to: 'R2', kind: 'constrains', text: 'An allowed call uses one.' };
  return {
    task: 'acme-limiter.1',
    revision: 1,
    environmentDigest: sha256('environment'),
    groups: [
      group('T1', 'requirement', ['R1'], [ids.r1]),
      group('T2', 'requirement', ['R2'], [ids.r2]),
      group('T12', 'edge', ['R1', 'R2'], [ids.edge]),
      group('P', 'regression', [], ids.p2p),
    ],
    matrix: [
      rowOf('base', [], trees.base, ['fail', 'fail', 'fail', 'pass']),
      rowOf('R1', ['R1'], trees.r1, ['pass', 'fail', 'fail', 'pass']),
      rowOf('R2', ['R2'], trees.r2, ['fail', 'pass', 'fail', 'pass']),
      rowOf('R1+R2', ['R1', 'R2'], trees.gold, ['pass', 'pass', 'pass', 'pass']),
    ],
    couplings: [{ ...edge, level: 3, evidence: ['ablation'], tests: [ids.edge], detail: 'both' }],
    mutants: [],
    traces: [],
    soloMerges: [],
    controls: [{ name: 'gold', expected: 'valid-success', outcome: 'valid-success' }],
    quarantined: [],
    repeats: 3,
    goldTree: trees.gold,
  };
}

/** A whole accepted record with everything behind it, and the means to make more patches on its base. */
export type Story = {
  readonly input: ReleaseInput;
  readonly ledger: MemoryLedger;
  /** The patch from the base to these files, as bytes of git. */
  readonly patchTo: (files: Readonly<Record<string, string | Uint8Array>>) => Promise<Uint8Array>;
};

const text = async (patches: Patches, before: string, after: string) =>
  new TextDecoder().decode(await patches.diff(before, after));

/** Builds the story of the limiter; git works below `scratch`. `extra` files stand in every tree. */
export async function buildStory(scratch: string, extra: Files = {}): Promise<Story> {
  const ledger = memoryLedger();
  const patches = await openPatches({ ledger, scratch });
  const trees = {
    base: keepTree(ledger, { ...storyFiles.base, ...extra }),
    r1: keepTree(ledger, { ...storyFiles.r1, ...extra }),
    r2: keepTree(ledger, { ...storyFiles.r2, ...extra }),
    gold: keepTree(ledger, { ...storyFiles.gold, ...extra }),
  };
  const task = taskOf(ledger, trees);
  const tested = keepTree(ledger, { ...storyFiles.base, ...extra, [hiddenPath]: hidden });
  const facts = ReleaseFacts.parse({
    task,
    instance: instanceOf(trees),
    environment: {
      spec: task.environment,
      digest: sha256('environment'),
      tools: [{ name: 'node', version: process.version }],
    },
    source: {
      name: 'limiter',
      kind: 'git',
      origin: './limiter',
      url: null,
      head: '6c1ea64e5d6ecc837414d5f7df9ddb59ae4d7179',
      licence: 'MIT',
      licenceFiles: ['LICENSE'],
    },
    ...history(trees.base),
    patches: {
      gold: { text: await text(patches, trees.base, trees.gold) },
      test: { text: await text(patches, trees.base, tested) },
      base: { text: await text(patches, trees.gold, trees.base) },
      parts: [
        { id: 'g1', needs: ['R1'], text: await text(patches, trees.base, trees.r1) },
        { id: 'g2', needs: ['R2'], text: await text(patches, trees.r1, trees.gold) },
      ],
    },
  });
  return {
    input: { ...facts, read: ledger.get },
    ledger,
    patchTo: (files) => patches.diff(trees.base, keepTree(ledger, files)),
  };
}
