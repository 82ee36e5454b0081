import type { Environment } from '../../schemas/environment.ts';
import type { Disturbance, Disturbed } from '../../schemas/flake.ts';
import type { OverlayFile, Task } from '../../schemas/task.ts';
import type { TestStatus } from '../../schemas/test-report.ts';
import type { Ran, RunStatus } from '../../schemas/test-run.ts';
import type { Context } from '../context.ts';

/** One run as the gates read it: a missing id is `absent`, never passed by default. */
export type Observation = {
  readonly tree: string;
  readonly key: string;
  readonly status: RunStatus;
  readonly durationMs: number;
  readonly ids: readonly string[];
  readonly statusOf: (test: string) => TestStatus;
  /** What was made different about it, and what of that took place; null for an ordinary run. */
  readonly disturbance: Disturbance | null;
  readonly disturbed: Disturbed | null;
  /** What the probes of a probed run told. */
  readonly ran: Ran | null;
  /** The file that a reported test stands in; empty for any other. */
  readonly fileOf: (test: string) => string;
};

export type Bench = {
  readonly task: Task;
  readonly environment: Environment;
  readonly context: Context;
};

type What = {
  readonly files: readonly string[];
  readonly overlay?: readonly OverlayFile[];
  readonly repeat?: number;
  readonly disturbance?: Disturbance | null;
  readonly probed?: boolean;
  /** Less time than the environment allows. */
  readonly timeoutMs?: number;
};

/** Run test files on a tree with the hidden tests laid over it (or another overlay). */
export async function observe(
  { task, environment, context }: Bench,
  tree: string,
  {
    files,
    overlay = task.tests.overlay,
    repeat = 0,
    disturbance = null,
    probed = false,
    timeoutMs,
  }: What,
): Promise<Observation> {
  const request = {
    environment,
    tree,
    overlay: [...overlay],
    files: [...files].toSorted(),
    repeat,
    ...(disturbance === null ? {} : { disturbance }),
    ...(probed ? { probed } : {}),
  };
  const { key, result } = await context.runs.run(
    request,
    context.signal,
    timeoutMs === undefined ? undefined : { timeoutMs },
  );
  const { results } = result.report;
  const statuses = new Map(results.map(({ id, status }) => [id, status]));
  const fileNames = new Map(results.map(({ id, file }) => [id, file]));
  return {
    tree,
    key,
    status: result.status,
    durationMs: result.durationMs,
    disturbance,
    disturbed: result.disturbed ?? null,
    ran: result.ran ?? null,
    ids: [...statuses.keys()],
    statusOf: (test) => statuses.get(test) ?? 'absent',
    fileOf: (test) => fileNames.get(test) ?? '',
  };
}

export const passing = ({ ids, statusOf }: Observation): readonly string[] =>
  ids.filter((id) => statusOf(id) === 'passed');

/** All test files of a task: those that may become FAIL_TO_PASS and those that guard. */
export const allFiles = ({ tests }: Task): readonly string[] => [
  ...tests.files,
  ...tests.regression,
];
