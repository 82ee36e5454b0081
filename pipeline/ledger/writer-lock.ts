import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { Fault } from '../../stages/fault.ts';

/** Name of the lock inside a run folder; it belongs to a process, not to the run. */
export const LOCK_FILE = 'writer.lock';

const Holder = z.strictObject({ pid: z.number().int().positive(), started: z.string() });
type Holder = z.infer<typeof Holder>;

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null;
    throw error;
  }
}

/**
 * When a living process began, in ticks since the host's start; null for one that is gone.
 * A pid alone is not enough, since pids come again; a zombie still has a pid but writes no more.
 */
function startOf(pid: number): string | null {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state = 'X', started = ''] = [fields[0], fields[19]];
  return 'ZXx'.includes(state) ? null : started;
}

function parsed(text: string): Holder | null {
  try {
    return Holder.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** The pid of the process that writes this run now, or null. */
export function writerOf(folder: string): number | null {
  const holder = parsed(textOf(join(folder, LOCK_FILE)) ?? '');
  return holder !== null && startOf(holder.pid) === holder.started ? holder.pid : null;
}

function claim(folder: string): void {
  const pid = writerOf(folder);
  if (pid !== null) {
    throw new Fault(
      `Ledger failed to open: process ${pid} is writing ${folder}. Wait for it to end, or watch it with "pipeline status".`,
      { code: 'ledger-busy' },
    );
  }
  const mine: Holder = { pid: process.pid, started: startOf(process.pid) ?? '' };
  const draft = join(folder, `${LOCK_FILE}.${process.pid}`);
  writeFileSync(draft, `${JSON.stringify(mine)}\n`);
  renameSync(draft, join(folder, LOCK_FILE));
}

/**
 * Become the one writer of a run, or throw `ledger-busy` with the holder's pid. A dead holder's lock is taken over.
 * Looking and taking happen inside a write transaction: the kernel drops SQLite's own lock with its process,
 * so two newcomers can never both find the same dead holder and both move in.
 */
export function takeLock(folder: string, database: DatabaseSync): void {
  database.exec('begin immediate');
  try {
    claim(folder);
  } finally {
    database.exec('rollback');
  }
}

/** Let the next writer in. */
export function dropLock(folder: string): void {
  rmSync(join(folder, LOCK_FILE), { force: true });
}
