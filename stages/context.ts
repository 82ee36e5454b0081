import type { Completion, ModelRequest, Role } from '../schemas/completion.ts';
import type { Environment, EnvironmentSpec } from '../schemas/environment.ts';
import type { LedgerEvent } from '../schemas/event.ts';
import type { RunSettings } from '../schemas/run-settings.ts';
import type { Parse } from '../schemas/syntax.ts';
import type { TestRunRequest, TestRunResult } from '../schemas/test-run.ts';

/** One model, found by job and name. Throws a Fault; a cut or empty answer is a Completion that says so. */
export type Model = { complete(request: ModelRequest, signal: AbortSignal): Promise<Completion> };

/** How a command ended. A failing command is data; `code` is null when a signal ended it and is never read as 0. */
export type Exit = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  /** Bytes of output that were not kept; head and tail are. */
  readonly droppedBytes: number;
  /** There where the kernel ended something of this command because its memory was used up. */
  readonly outOf?: 'memory';
};

export type ExecOptions = {
  /** Relative to the work folder; the work folder itself by default. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly stdin?: Uint8Array;
  readonly maxOutputBytes?: number;
  /**
   * The work folder is shown read-only to this command but for these folders below it, which must exist. bwrap and docker hold it
   * by mounts; without isolation a write happens, and the tree that is read afterwards tells of it. `closed` files and folders below
   * these stay read-only; one that is not there any more is left out, and so is a writable folder below it.
   */
  readonly readOnly?: {
    readonly writable: readonly string[];
    readonly closed?: readonly string[];
  };
  /** Nothing but `env` and what a start needs (PATH, HOME, TMPDIR); the variables that every box pins stay out. */
  readonly onlyEnv?: boolean;
  /** Less than a box may use anyway. Who cannot hold the command to it throws a Fault instead of running it. */
  readonly most?: {
    readonly memoryBytes?: number | undefined;
    readonly processes?: number | undefined;
    readonly cpus?: number | undefined;
  };
};

/** A file on its way into or out of a box. For a link `bytes` is its target. */
export type BoxFile = {
  readonly path: string;
  readonly kind: 'file' | 'exec' | 'link';
  readonly bytes: Uint8Array;
};

/**
 * One open sandbox. Relative paths start at the work folder; `read` and `write` also take absolute paths
 * below `outside`, a folder beside the work folder that the tree never contains. A path that leaves both is refused.
 */
export type Box = {
  /** Absolute path of the work folder as commands in the box see it. */
  readonly workdir: string;
  /** Absolute path, as seen in the box, of a private writable folder outside the work folder. */
  readonly outside: string;
  /** Absolute path, as seen in the box, of the kept dependencies (may be empty). */
  readonly deps: string;
  exec(argv: readonly string[], options: ExecOptions, signal: AbortSignal): Promise<Exit>;
  /** The bytes of a regular file, cut at `maxBytes`, or null where there is none. Links are not followed. */
  read(path: string, maxBytes: number): Promise<Uint8Array | null>;
  write(files: readonly BoxFile[]): Promise<void>;
  /** Everything below the work folder: sorted by path bytes, links not followed, other kinds named `other` and of size 0. */
  tree(): Promise<
    readonly {
      readonly path: string;
      readonly kind: string;
      readonly sha256: string;
      readonly size: number;
    }[]
  >;
};

/** Lends fresh boxes and removes them on every path out. Throws Faults only. */
export type Sandbox = {
  /** Install what a spec asks for, on a copy of the tree. A failing step is data: the step and its last lines. */
  prepare(
    spec: EnvironmentSpec,
    tree: readonly BoxFile[],
    signal: AbortSignal,
  ): Promise<
    | {
        readonly ready: true;
        readonly environment: Environment;
        /** The bytes that `environment.frozen` names. */
        readonly frozen: readonly Uint8Array[];
      }
    | { readonly ready: false; readonly step: string; readonly tail: string }
  >;
  use<T>(environment: Environment, signal: AbortSignal, work: (box: Box) => Promise<T>): Promise<T>;
};

/** A quick run that the environment must pass, and the test in it that says so. */
export type Control = { readonly request: TestRunRequest; readonly id: string };

/**
 * How one measurement is made; no part of the request. `timeoutMs` lowers the spec's own limit. `control` must hold here, in this
 * process and environment, before the run counts, and again after a run that did not complete: else a Fault `run-ungradable`.
 */
export type RunOptions = {
  readonly timeoutMs?: number | undefined;
  readonly control?: Control | undefined;
};

/** Runs test files on trees; the same request is measured once and found again. `key` names the run in the ledger. */
export type TestRuns = {
  prepare(
    spec: EnvironmentSpec,
    tree: string,
    signal: AbortSignal,
  ): Promise<
    | { readonly ready: true; readonly environment: Environment }
    | { readonly ready: false; readonly step: string; readonly tail: string }
  >;
  run(
    request: TestRunRequest,
    signal: AbortSignal,
    options?: RunOptions,
  ): Promise<{ readonly key: string; readonly result: TestRunResult }>;
};

/** One blob of a commit's tree; `mode` as git writes it (100644, 100755, 120000, 160000). */
export type GitEntry = { readonly path: string; readonly mode: string; readonly oid: string };

export type GitCommit = {
  readonly hash: string;
  readonly parents: readonly string[];
  /** Steps from the oldest commit of the first-parent line that was asked for; 0 is the oldest. */
  readonly position: number;
  readonly author: string;
  readonly authoredAt: string;
  readonly committedAt: string;
  readonly message: string;
  /** Changes against the first parent, without rename detection; object names, null for absent. */
  readonly changes: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
    readonly beforeMode: string | null;
    readonly afterMode: string | null;
  }[];
};

/** The history of one source, read object by object, never through a work tree. */
export type Repo = {
  /** First-parent line of `ref`, newest first. */
  commits(query: { readonly ref: string; readonly max: number }): AsyncIterable<GitCommit>;
  tree(commit: string): Promise<readonly GitEntry[]>;
  blob(oid: string): Promise<Uint8Array>;
  /** For each line of `path` at `commit`, the commit that brought it. */
  blame(commit: string, path: string): Promise<readonly string[]>;
};

/** Git's own merge and diff on bytes; `null` where three sides do not merge cleanly. */
export type Patches = {
  merge(base: Uint8Array, ours: Uint8Array, theirs: Uint8Array): Promise<Uint8Array | null>;
  /** A `git apply`-able patch from one tree to another (manifest digests), byte-exact, no renames. */
  diff(before: string, after: string): Promise<Uint8Array>;
};

/** The run's memory. `put` returns the SHA-256 that names the bytes; `get` checks it and throws a Fault otherwise. */
export type Ledger = {
  note(event: LedgerEvent): void;
  put(bytes: Uint8Array): string;
  get(sha256: string): Uint8Array;
};

export type Clock = { now(): number; sleep(ms: number, signal: AbortSignal): Promise<void> };

/** Everything a stage may touch outside its own facts. */
export type Context = {
  readonly settings: RunSettings;
  /** One per run; every port call takes part in it. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly model: (role: Role, entrant: string) => Model;
  readonly runs: TestRuns;
  readonly repo: (source: string) => Repo;
  readonly patches: Patches;
  readonly ledger: Ledger;
  readonly parse: Parse;
};
