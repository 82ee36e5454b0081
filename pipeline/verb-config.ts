import { existsSync } from 'node:fs';
import { RunConfig } from '../schemas/run-config.ts';
import type { Io } from './arguments.ts';
import { type Overrides, readRunConfig } from './config.ts';
import { hasLedger, type OpenLedger, openLedger } from './ledger/open.ts';
import { type Place, runFolder } from './open-run.ts';

/** Flags of every verb that walks records. */
export const walkOptions = {
  config: { kind: 'text', value: 'FILE', help: 'The run file; pipeline.yaml where there is one.' },
  sandbox: {
    kind: 'text',
    value: 'KIND',
    oneOf: ['auto', 'docker', 'bwrap', 'process'],
    help: 'Where code runs: auto, docker, bwrap, or process (no isolation).',
  },
  concurrency: { kind: 'integer', value: 'N', help: 'Things done at the same time.' },
  'no-wait': {
    kind: 'flag',
    help: 'Do not wait for mailbox answers: end with exit code 75 and the list of open requests.',
  },
} as const;

/** Flags that choose what is drafted. */
export const synthesizeOptions = {
  batch: { kind: 'integer', value: 'N', help: 'Groups of seeds to draft.' },
  k: { kind: 'list', value: 'K', help: 'Size of a group, 2 to 4; may be repeated.' },
  mode: {
    kind: 'text',
    value: 'MODE',
    oneOf: ['all', 'history', 'forward'],
    help: "Drafts from the history; forward, by the drafter and from a pack's drafts; or all.",
  },
  level: {
    kind: 'text',
    value: 'LEVEL',
    oneOf: ['dependent', 'joint', 'interacting'],
    help: 'The least coupling that one edge must prove.',
  },
  seed: { kind: 'integer', value: 'N', help: 'Start of every choice by chance.' },
  repeats: { kind: 'integer', value: 'N', help: 'Fresh runs of gold before a task is admitted.' },
  mutants: { kind: 'integer', value: 'N', help: 'Mutants of the lines of each part.' },
  known: {
    kind: 'text',
    value: 'FILE',
    help: 'What benchmarks hold already, one JSON object a line: no task of it is made.',
  },
} as const;

/** Flags that say where a repository and its talk are. */
export const sourceOptions = {
  threads: { kind: 'text', value: 'FILE', help: 'A threads.jsonl beside a git: source.' },
  repo: { kind: 'text', value: 'PATH', help: 'The repository that an archive: belongs to.' },
  env: {
    kind: 'text',
    value: 'FILE',
    help: 'An environment.json instead of a recipe, or a Dockerfile to run in.',
  },
  'max-commits': { kind: 'integer', value: 'N', help: 'How far back to look, newest first.' },
  endpoint: {
    kind: 'text',
    value: 'URL',
    help: "GitHub's interface at another address (github:).",
  },
  since: {
    kind: 'text',
    value: 'TIME',
    help: 'Only threads that changed then or later, as in 2026-01-31 (github:).',
  },
} as const;

export type WalkArguments = {
  readonly run?: string | undefined;
  readonly out?: string | undefined;
  readonly config?: string | undefined;
  readonly sandbox?: string | undefined;
  readonly concurrency?: number | undefined;
  readonly 'no-wait'?: boolean;
  readonly batch?: number | undefined;
  readonly k?: readonly string[];
  readonly mode?: string | undefined;
  readonly level?: string | undefined;
  readonly seed?: number | undefined;
  readonly repeats?: number | undefined;
  readonly mutants?: number | undefined;
  readonly known?: string | undefined;
  readonly threads?: string | undefined;
  readonly env?: string | undefined;
  readonly 'max-commits'?: number | undefined;
  readonly endpoint?: string | undefined;
  readonly since?: string | undefined;
};

const USUAL = 'pipeline.yaml';

/**
 * The run file with the flags over it. Without `--config` and without a pipeline.yaml, a run that exists goes on with the
 * configuration that it was started with.
 */
export function verbConfig(args: WalkArguments, preset: Overrides = {}): RunConfig {
  const file = args.config ?? (existsSync(USUAL) ? USUAL : null);
  const flags = flagsOf(args);
  if (file !== null) return readRunConfig(file, flags);
  const run = args.run ?? (typeof preset.run === 'string' ? preset.run : 'main');
  const before = storedConfig(runFolder(args.out ?? 'out', run));
  return readRunConfig(null, layer(before ?? preset, flags));
}

/** Keys that are undefined in `over` leave what lies below. */
function layer(below: Overrides, over: Overrides): Overrides {
  const result: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) continue;
    const under = result[key];
    result[key] = isPlain(value) && isPlain(under) ? layer(under, value) : value;
  }
  return result;
}

const isPlain = (value: unknown): value is Overrides =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function flagsOf(args: WalkArguments): Overrides {
  const { k } = args;
  return {
    run: args.run,
    sandbox: args.sandbox,
    concurrency: args.concurrency,
    environment: { file: args.env },
    mine: {
      max_commits: args['max-commits'],
      threads: args.threads,
      github: { endpoint: args.endpoint, since: timeOf(args.since) },
    },
    synthesize: {
      batch: args.batch,
      k: k === undefined || k.length === 0 ? undefined : k.map(Number),
      mode: args.mode,
      level: args.level,
      seed: args.seed,
      repeats: args.repeats,
      mutants_per_part: args.mutants,
      known: args.known,
    },
  };
}

/** A day is its first moment in UTC. */
const timeOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/u.test(text) ? `${text}T00:00:00Z` : text;

/** The configuration that a run was last started with, or null. */
function storedConfig(folder: string): Overrides | null {
  if (!hasLedger(folder)) return null;
  const ledger = openLedger({ folder, mode: 'read', clock: { now: () => 0 } });
  try {
    return lastConfig(ledger);
  } finally {
    ledger.close();
  }
}

export function lastConfig(ledger: OpenLedger): RunConfig | null {
  const started = ledger.events('run-started').at(-1);
  return started === undefined
    ? null
    : RunConfig.parse((started.body as { config: unknown }).config);
}

/** Note the configuration a verb runs with, once for each change. */
export function noteStart(ledger: OpenLedger, config: RunConfig): void {
  if (JSON.stringify(lastConfig(ledger)) === JSON.stringify(config)) return;
  const key = `start:${ledger.events('run-started').length}`;
  ledger.note({ kind: 'run-started', record: null, key, body: { config } });
}

/** The world of a verb, from its flags and streams. */
export const placeOf = (args: WalkArguments, io: Io): Place => ({
  out: args.out ?? 'out',
  clock: io.clock,
  signal: io.signal,
  tell: io.say,
  wait: args['no-wait'] !== true,
});
