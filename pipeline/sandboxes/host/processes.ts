import { readdirSync, readFileSync } from 'node:fs';

/** One process as /proc shows it; `started` is in clock ticks since boot and tells a reused pid from the old one. */
type ProcessEntry = {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly started: string;
};

/** A process that ends while it is looked at is no error: it reads as empty. */
function readProc(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  }
}

function entryOf(pid: number): ProcessEntry | null {
  const text = readProc(`/proc/${pid}/stat`);
  // The name in brackets may itself hold blanks and brackets; the fields start after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const started = fields[19];
  if (started === undefined || state === 'Z' || state === 'X') return null;
  const ids = { parent: Number(parent), group: Number(group), session: Number(session) };
  return { pid, ...ids, started };
}

function processes(): ProcessEntry[] {
  const names = process.platform === 'linux' ? readdirSync('/proc') : [];
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.map(entryOf).filter((entry) => entry !== null);
}

/** When a process started, or null where it is gone (a zombie is gone) or the platform has no /proc. */
export const startOf = (pid: number): string | null => entryOf(pid)?.started ?? null;

/** Whether the process that once had this pid and this start is still there. */
export function isAlive(pid: number, started: string): boolean {
  if (process.platform === 'linux') return startOf(pid) === started;
  return signalTo(pid, 0);
}

/** Send a signal; false where nobody is left to take it. */
function signalTo(pid: number, signal: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    if (error instanceof Error && 'code' in error && error.code === 'EPERM') return true;
    throw error;
  }
}

/** The leader's group and session, whoever carries the mark in its environment, and the descendants of all. */
function family(leader: number | null, mark: string): number[] {
  const others = processes().filter(({ pid }) => pid !== process.pid);
  const isMarked = ({ pid }: ProcessEntry) => readProc(`/proc/${pid}/environ`).includes(mark);
  const isNear = ({ group, session }: ProcessEntry) => group === leader || session === leader;
  const kin = new Set(
    others.filter((entry) => isNear(entry) || isMarked(entry)).map(({ pid }) => pid),
  );
  for (let before = -1; before < kin.size; ) {
    before = kin.size;
    for (const { pid, parent } of others) if (kin.has(parent)) kin.add(pid);
  }
  return [...kin];
}

/**
 * Kill a process group and everything that came from it, also what left the group by setsid.
 * Who clears its environment and leaves both parent and session escapes: only a pid namespace stops that.
 */
export function killFamily(leader: number | null, mark: string): void {
  if (leader !== null) signalTo(-leader, 'SIGKILL');
  // A fork may slip between listing and killing; a few rounds catch what a bounded effort can.
  for (let round = 0; round < 5; round += 1) {
    const found = family(leader, mark);
    if (found.length === 0) return;
    for (const pid of found) signalTo(pid, 'SIGKILL');
  }
}
