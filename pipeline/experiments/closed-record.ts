import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Frozen, RolloutRecord } from '../../schemas/experiment.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { utf8 } from '../../stages/contract/text.ts';
import { Fault } from '../../stages/fault.ts';
import { flagError } from '../config/usage-problem.ts';
import { namedFile } from '../contracts/read-contract.ts';
import { parseSums, SUMS } from '../release/sums.ts';
import { type Experiment, recordFolder } from './folder.ts';
import { AUDIT, filesBelow } from './record.ts';

/** The first thing that is not as recorded. */
export type Difference = { readonly at: string; readonly recorded: string; readonly found: string };

const MAX_BYTES = 512 * 1024 * 1024;

/** Null for what is no regular file, or too large to be one of ours. */
function bytesIn(path: string): Uint8Array | null {
  if (!existsSync(path)) return null;
  const bytes = namedFile(path, MAX_BYTES, 'DIR');
  return 'length' in bytes ? bytes : null;
}

/** Every file of a record by its sum, none missing and none too many. Looked at before anything is computed. */
export function sumsDifference(folder: string): Difference | null {
  const list = bytesIn(join(folder, SUMS));
  const sums = list === null ? null : parseSums(utf8(list) ?? '');
  if (sums === null)
    return { at: SUMS, recorded: 'a list of sums', found: 'none that can be read' };
  const files = new Set(
    filesBelow(folder).filter((file) => file !== SUMS && !file.startsWith('blobs/drafts/')),
  );
  for (const [file, sum] of sums) {
    if (!files.delete(file)) return { at: file, recorded: sum, found: 'no such file' };
    const bytes = bytesIn(join(folder, file));
    const found = bytes === null ? 'no file that can be read' : sha256(bytes);
    if (found !== sum) return { at: file, recorded: sum, found };
  }
  const [extra] = files;
  return extra === undefined
    ? null
    : { at: extra, recorded: 'no such file', found: 'a file that no sum names' };
}

/** Refuses a folder whose run has not ended. */
export function assertClosed({ folder }: Experiment): void {
  if (existsSync(join(recordFolder(folder), AUDIT))) return;
  throw flagError(
    'DIR',
    'an experiment whose run is finished; run "pipeline experiment run" first',
    `"${folder}", which has no record/${AUDIT}`,
  );
}

const Lines = z.array(RolloutRecord);

function linesOf(text: string): unknown[] | null {
  try {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return null;
  }
}

const damaged = (at: string, reason: string) =>
  new Fault(
    `Record failed at ${at}: ${reason}. Restore it from where it was published, or run the experiment again in a copy of its folder without record/.`,
    { code: 'record-damaged' },
  );

/** The rollouts of a closed record. Throws the Fault `record-damaged` where a line is none. */
export function auditOf(folder: string): RolloutRecord[] {
  const bytes = bytesIn(join(folder, AUDIT));
  const lines = bytes === null ? null : linesOf(utf8(bytes) ?? '{');
  const parsed = Lines.safeParse(lines);
  if (parsed.success) return parsed.data;
  throw damaged(AUDIT, 'a line that is no rollout');
}

/** What a record says of the plan that it was made under, where that is not the plan at hand. */
export function planDifference(
  planSha256: string,
  rollouts: readonly RolloutRecord[],
): Difference | null {
  const other = rollouts.find(({ plan }) => plan !== planSha256);
  return other === undefined
    ? null
    : { at: `${other.rollout} plan`, recorded: other.plan, found: planSha256 };
}

/**
 * The rollouts that a report may count: those of a whole record, made under the plan at hand and as it was frozen. Throws a usage
 * error for a run that has not ended or another plan, and the Fault `record-damaged` for what is not as its sum says.
 */
export function readClosed(experiment: Experiment, frozen: Frozen): readonly RolloutRecord[] {
  assertClosed(experiment);
  const folder = recordFolder(experiment.folder);
  const broken = sumsDifference(folder);
  if (broken !== null) throw damaged(broken.at, `${broken.found}, recorded as ${broken.recorded}`);
  const rollouts = auditOf(folder);
  const frozenPlan = frozen.plan === experiment.planSha256 ? null : frozen.plan;
  const other = frozenPlan ?? planDifference(experiment.planSha256, rollouts)?.recorded;
  if (other === undefined) return rollouts;
  throw flagError(
    'DIR',
    `the plan that was run, ${other}`,
    `${experiment.planSha256}; put plan.yaml and frozen.json back, or run the new plan in a folder of its own`,
  );
}
