import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { Completion } from '../../schemas/completion.ts';
import { RolloutRecord } from '../../schemas/experiment.ts';
import { canonicalJson } from '../../stages/contract/canonical-json.ts';
import { byPathBytes } from '../../stages/contract/manifest.ts';
import type { LeftShell } from '../../stages/controller/shell.ts';
import { Fault } from '../../stages/fault.ts';
import { type Blobs, openBlobs } from '../ledger/blobs.ts';
import { SUMS, sumsText } from '../release/sums.ts';
import { writeWhole } from './folder.ts';

export const AUDIT = 'audit.jsonl';

/** The record of an experiment: blobs, answers by request, one line a rollout; sums over all of it once it is complete. */
export type ExperimentRecord = {
  readonly folder: string;
  readonly blobs: Blobs;
  /** The stored answer to a request, or null. */
  answer(request: string): Completion | null;
  keepAnswer(request: string, completion: Completion): void;
  rollouts(): RolloutRecord[];
  keepRollout(rollout: RolloutRecord): void;
  /** What a shell session left that came to no candidate: a later one of the same attempt replaces it. */
  keepLeft(rollout: string, left: LeftShell): void;
  /** Writes the audit lines in schedule order and the sums. */
  close(order: readonly string[]): void;
};

const fileOf = (rollout: string) => `${rollout.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.json`;

/** Files below a folder with forward slashes, sorted by path bytes. */
export function filesBelow(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted(byPathBytes);
}

/** Throws the Fault `record-damaged` for a file that a run did not write so. */
function readWhole<T>(path: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(jsonIn(path));
  if (parsed.success) return parsed.data;
  throw new Fault(
    `Record failed at ${path}: not as a run wrote it. Delete that file to have the run make it again.`,
    { code: 'record-damaged' },
  );
}

function jsonIn(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
}

export function openRecord(folder: string): ExperimentRecord {
  const blobs = openBlobs(folder);
  const answers = join(folder, 'answers');
  const drafts = join(folder, 'rollouts');
  const rollouts = () => {
    if (!existsSync(drafts)) return [];
    const files = readdirSync(drafts)
      .filter((name) => name.endsWith('.json'))
      .toSorted();
    return files.map((name) => readWhole(join(drafts, name), RolloutRecord));
  };
  return {
    folder,
    blobs,
    answer(request) {
      const path = join(answers, `${request}.json`);
      return existsSync(path) ? readWhole(path, Completion) : null;
    },
    keepAnswer(request, completion) {
      writeWhole(join(answers, `${request}.json`), `${canonicalJson(completion)}\n`);
    },
    rollouts,
    keepRollout(rollout) {
      writeWhole(join(drafts, fileOf(rollout.rollout)), `${canonicalJson(rollout)}\n`);
    },
    keepLeft(rollout, left) {
      const name = fileOf(`${rollout}.${left.attempt}`);
      writeWhole(join(folder, 'left', name), `${canonicalJson({ rollout, ...left })}\n`);
    },
    close(order) {
      const byName = new Map(rollouts().map((one) => [one.rollout, one]));
      const lines = order.map((name) => `${canonicalJson(byName.get(name))}\n`);
      writeWhole(join(folder, AUDIT), lines.join(''));
      const files = filesBelow(folder).filter(
        (path) => path !== SUMS && !path.startsWith('blobs/drafts/'),
      );
      const sums = sumsText(
        files.map((path) => ({ path, bytes: readFileSync(join(folder, path)) })),
      );
      writeWhole(join(folder, SUMS), sums);
    },
  };
}
