import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openParse } from '../../pipeline/parsing/tree-sitter.ts';
import { openPatches } from '../../pipeline/repos/patches.ts';
import type { RunSettings } from '../../schemas/run-settings.ts';
import type { TestStatus } from '../../schemas/test-report.ts';
import type { TestRunRequest, TestRunResult } from '../../schemas/test-run.ts';
import type { Context, Model, Patches, Repo, TestRuns } from '../../stages/context.ts';
import { digestOf, sha256 } from '../../stages/contract/canonical-json.ts';
import { readPath } from '../../stages/trees/trees.ts';
import { fakeClock } from './fake-clock.ts';
import { type MemoryLedger, memoryLedger } from './memory-ledger.ts';
import { requestFor } from './test-run.ts';

/** The text of a path in the tree that is run, the overlay laid over it; empty where there is none. */
export type Read = (path: string) => string;

/** What a run reports: statuses by test id (`file > name`), and whatever differs from an ordinary end. */
type Played = {
  readonly tests: Readonly<Record<string, TestStatus>>;
  readonly lines?: Readonly<Record<string, number>>;
} & Partial<TestRunResult>;

/** A test runner as a function of what stands in the tree. */
export type Play = (read: Read, request: TestRunRequest) => Played;

const parse = await openParse();

function resultOf({ tests, lines = {}, ...parts }: Played): TestRunResult {
  const results = Object.entries(tests).map(([id, status]) => ({
    id,
    file: id.split(' > ')[0] ?? '',
    line: lines[id] ?? null,
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

/** Test runs without a machine: tests of files that were not asked for are left out. `requests` holds what was asked. */
export function scriptedRuns(
  ledger: MemoryLedger,
  play: Play,
): TestRuns & { readonly requests: TestRunRequest[] } {
  const requests: TestRunRequest[] = [];
  const decode = (bytes: Uint8Array | null) => new TextDecoder().decode(bytes ?? new Uint8Array());
  return {
    requests,
    prepare: async (spec) => ({ ready: true, environment: requestFor(spec).environment }),
    async run(request) {
      requests.push(request);
      const laid = new Map(request.overlay.map(({ path, sha256: name }) => [path, name]));
      const read = (path: string) => {
        const name = laid.get(path);
        return decode(name === undefined ? readPath(ledger, request.tree, path) : ledger.get(name));
      };
      const { tests, ...rest } = play(read, request);
      const asked = Object.entries(tests).filter(([id]) =>
        request.files.includes(id.split(' > ')[0] ?? ''),
      );
      const result = resultOf({ tests: Object.fromEntries(asked), ...rest });
      const { environment: _, ...key } = request;
      return { key: digestOf(key), result };
    },
  };
}

const defaultSettings: RunSettings = {
  run: 'story',
  seed: 1,
  level: 3,
  repeats: 3,
  mutantsPerPart: 0,
  mutantOperators: 'core',
  solvers: [],
  soloSolvers: [],
  reviewer: null,
  drafter: null,
  repairer: null,
  condition: 'auto',
  replicates: 1,
  rounds: 3,
};

/** Merging needs no ledger and remembers nothing that another test could see, so one git serves them all. */
const scratch = mkdtempSync(join(tmpdir(), 'codespecweave-merge-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
let git: Promise<Patches> | undefined;

async function gitMerge(): Promise<Patches> {
  git ??= openPatches({ ledger: memoryLedger(), scratch });
  return { ...(await git), diff: noPatches.diff };
}

/** A port that refuses, for those who merge nothing. */
const noPatches: Patches = {
  merge: () => Promise.reject(new Error('no merge was expected here')),
  diff: () => Promise.reject(new Error('no diff was expected here')),
};

type Parts = {
  readonly play?: Play;
  readonly settings?: Partial<RunSettings>;
  readonly models?: Readonly<Record<string, Model>>;
  readonly repo?: Repo;
  /** Merge as git does. */
  readonly merges?: boolean;
  readonly ledger?: MemoryLedger;
};

export type Story = {
  readonly context: Context;
  readonly ledger: MemoryLedger;
  readonly requests: TestRunRequest[];
};

const nothing: Play = () => ({ tests: {} });

/** A whole Context in memory; a test names only what it is about. */
export async function storyContext(parts: Parts = {}): Promise<Story> {
  const { play = nothing, settings = {}, models = {}, merges = false, repo } = parts;
  const ledger = parts.ledger ?? memoryLedger();
  const runs = scriptedRuns(ledger, play);
  const context: Context = {
    settings: { ...defaultSettings, ...settings },
    signal: new AbortController().signal,
    clock: fakeClock(),
    model: (_role, name) => {
      const model = models[name];
      if (model === undefined) throw new Error(`no model "${name}" in this story`);
      return model;
    },
    runs,
    repo: (name) => {
      if (repo === undefined) throw new Error(`no repository "${name}" in this story`);
      return repo;
    },
    patches: merges ? await gitMerge() : noPatches,
    ledger,
    parse,
  };
  return { context, ledger, requests: runs.requests };
}
