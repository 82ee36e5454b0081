import type { Completion } from '../../schemas/completion.ts';
import type { TestGroup } from '../../schemas/instance.ts';
import { Task } from '../../schemas/task.ts';
import type { TestStatus } from '../../schemas/test-report.ts';
import type { TestRunRequest, TestRunResult } from '../../schemas/test-run.ts';
import type { Context, Model } from '../../stages/context.ts';
import { digestOf, sha256 } from '../../stages/contract/canonical-json.ts';
import { draftContract } from '../../stages/contract/draft-contract.ts';
import { parseManifest } from '../../stages/contract/manifest.ts';
import { Fault } from '../../stages/fault.ts';
import { type Files, keepFiles } from './contract-case.ts';
import { fakeClock } from './fake-clock.ts';
import { type MemoryLedger, memoryLedger } from './memory-ledger.ts';
import { requestFor, specFor } from './test-run.ts';

/** A little repository: `add` is wrong in the base and right in gold. */
const baseFiles: Files = {
  'src/add.ts': 'export const add = (a: number, b: number) => a - b;\n',
  'src/same.ts': 'export const same = (a: number) => a;\n',
  'lib/other.js': 'exports.x = 1;\n',
  'test/add.test.ts': 'old\n',
};
export const goldFiles: Files = {
  ...baseFiles,
  'src/add.ts': 'export const add = (a: number, b: number) => a + b;\n',
};

const spec = specFor('node-test', { testFiles: ['test/**'], sourceFiles: ['src/**', 'lib/**'] });

/** A scripted test runner: what it reports is a function of the file that matters and of the overlay. */
export type Judge = (
  addSource: string,
  request: TestRunRequest,
) => Partial<TestRunResult> & { statuses: Record<string, TestStatus> };

/** The test of `add` passes when the file adds; `same` always passes. */
export const honest: Judge = (source) => ({
  statuses: {
    'add > adds': source.includes('a + b') ? 'passed' : 'failed',
    'same > same': 'passed',
  },
});

function resultOf({ statuses, ...parts }: ReturnType<Judge>): TestRunResult {
  const results = Object.entries(statuses).map(([id, status]) => ({
    id,
    file: 'test/add.test.ts',
    line: null,
    status,
    message: null,
  }));
  return {
    status: 'completed',
    exitCode: 0,
    signal: null,
    reportBlob: null,
    stdoutBlob: sha256(''),
    stderrBlob: sha256(''),
    droppedBytes: 0,
    durationMs: 1,
    drift: [],
    report: { runner: 'node-test', complete: true, results },
    ...parts,
  };
}

const groups: TestGroup[] = [
  { name: 'T_1', kind: 'requirement', refs: ['R1'], ids: ['add > adds'] },
  { name: 'P', kind: 'regression', refs: [], ids: ['same > same'] },
];

function taskOn(ledger: MemoryLedger): Task {
  const base = keepFiles(ledger, baseFiles);
  const gold = keepFiles(ledger, goldFiles);
  const globs = { testGlobs: spec.testFiles, sourceGlobs: ['src/**'] };
  const entries = parseManifest(ledger.get(base));
  const { contract } = draftContract({
    id: 'add',
    base,
    entries,
    goldPaths: ['src/add.ts'],
    regions: [],
    ...globs,
  });
  return Task.parse({
    id: 'add',
    revision: 0,
    mode: 'history',
    source: 'little',
    seeds: ['s1'],
    statement: 'R1. Adding must add.',
    requirements: [
      {
        id: 'R1',
        title: 'Adding adds',
        clauses: [
          {
            id: 'R1.a',
            text: '`add` returns the sum.',
            quotes: [{ doc: 'd', quote: 'sum', seed: 's1' }],
          },
        ],
        seeds: ['s1'],
        interface: ['add'],
      },
    ],
    couplings: [],
    base: { commit: 'c', commitTree: base, tree: base, createdAt: '2026-01-01T00:00:00Z' },
    gold: [{ id: 'g', needs: ['R1'], before: base, after: gold }],
    tests: {
      overlay: [
        {
          path: 'test/add.test.ts',
          sha256: ledger.put(new TextEncoder().encode('hidden secret\n')),
        },
      ],
      files: ['test/add.test.ts'],
      regression: [],
      traces: [],
    },
    environment: spec,
    contract,
    solos: [],
    probes: [],
    variants: [],
  });
}

/** What a model answers; a Fault is thrown. */
export type Reply = Partial<Completion> | Fault;

const completionOf = (parts: Partial<Completion>): Completion => ({
  text: '',
  finish: 'stop',
  provider: 'scripted',
  modelRequested: 'm',
  modelReturned: null,
  responseId: null,
  fromReasoning: false,
  usage: { input: null, cachedInput: null, output: null, reasoning: null },
  provenance: null,
  ...parts,
});

/** A model that plays replies in order and remembers what it was asked. */
export function playing(...replies: Reply[]) {
  const asked: Parameters<Model['complete']>[0][] = [];
  const model: Model = {
    async complete(request) {
      const reply = replies[Math.min(asked.length, replies.length - 1)];
      asked.push(request);
      if (reply instanceof Fault) throw reply;
      return completionOf(reply ?? {});
    },
  };
  return { model, asked };
}

/** A whole bench in memory: task, instance, and a Context whose runner is scripted. */
export function solveBench(judge: Judge = honest, models: Readonly<Record<string, Model>> = {}) {
  const ledger = memoryLedger();
  const task = taskOn(ledger);
  const runs: TestRunRequest[] = [];
  const context = {
    settings: {
      run: 'r',
      seed: 1,
      level: 2,
      repeats: 1,
      mutantsPerPart: 0,
      mutantOperators: 'core' as const,
      solvers: Object.keys(models).map((name) => ({ name, family: name, provider: 'scripted' })),
      soloSolvers: [],
      reviewer: null,
      drafter: null,
      repairer: null,
      condition: 'auto',
      replicates: 1,
      rounds: 0,
    },
    signal: new AbortController().signal,
    clock: fakeClock(),
    model: (_, name) => models[name] ?? playing().model,
    runs: {
      prepare: () => Promise.reject(new Error('not asked for')),
      async run(request) {
        runs.push(request);
        const entry = parseManifest(ledger.get(request.tree)).find(
          ({ path }) => path === 'src/add.ts',
        );
        const source = entry ? new TextDecoder().decode(ledger.get(entry.sha256)) : '';
        return { key: digestOf({ tree: request.tree }), result: resultOf(judge(source, request)) };
      },
    },
    repo: () => {
      throw new Error('not asked for');
    },
    patches: {
      merge: () => Promise.reject(new Error('not asked for')),
      diff: () => Promise.reject(new Error('not asked for')),
    },
    ledger,
    parse: () => null,
  } satisfies Context;
  const goldTree = task.gold[0]?.after ?? '';
  return {
    task,
    instance: { groups, goldTree },
    environment: requestFor(spec).environment,
    context,
    ledger,
    runs,
  };
}
