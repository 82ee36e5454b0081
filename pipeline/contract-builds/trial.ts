import type { PinnedBuild } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Box, Clock } from '../../stages/context.ts';
import type { ExpectedTree } from './expected-tree.ts';
import { layTree, lookAt } from './laid-tree.ts';
import { readReport } from './read-result.ts';
import { buildReason } from './reason.ts';
import { runCommands } from './run-commands.ts';
import { requirePrograms } from './scratch.ts';

export type Blobs = { put(bytes: Uint8Array): string; get(sha256: string): Uint8Array };

type Step = {
  readonly build: PinnedBuild;
  readonly expected: ExpectedTree;
  readonly blobs: Blobs;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
};

/** What running the commands on one tree gave, before anybody asks what was expected of it. */
export type Trial = Pick<ContractBuild, 'commands' | 'results' | 'streamBlob'> & {
  /** Why nothing can be expected of it: B1 of the commands that report nothing, B2, B6. */
  readonly reasons: readonly Reason[];
  /** Null without a report that can be believed. */
  readonly statuses: ReadonlyMap<string, string> | null;
  /** How the reporting command ended. */
  readonly code: number | null;
  readonly log: string;
  /** The tree's name afterwards; null where what lies there is no tree, or nothing was run. */
  readonly root: string | null;
};

/** Lay a tree into a fresh box, run the commands of B_C, read what they report, and look at the tree once more. */
export async function tryTree(box: Box, step: Step): Promise<Trial> {
  const { build, expected, blobs, clock, signal } = step;
  await layTree(box, expected, blobs, signal);
  const before = await lookAt(box, expected);
  const nothing = { commands: [], results: [], streamBlob: null, statuses: null, code: null };
  if (before.stray !== null) {
    const detail = 'the box holds other bytes than the tree';
    const reasons = [buildReason('tree-mismatch', detail, before.stray)];
    return { ...nothing, reasons, log: '', root: null };
  }
  await requirePrograms(box, build, signal);
  const { commands, reasons, log, evidence } = await runCommands(box, { build, clock, signal });
  const isReported = evidence !== null && reasons.length === 0;
  const reported = isReported ? readReport(evidence, blobs) : { ...nothing, reasons: [] };
  const { stray, root } = await lookAt(box, expected);
  const changed =
    stray === null ? [] : [buildReason('tree-changed', 'the build changed this path', stray)];
  return {
    ...reported,
    commands,
    reasons: [...reasons, ...reported.reasons, ...changed],
    code: evidence?.code ?? null,
    log,
    root,
  };
}
