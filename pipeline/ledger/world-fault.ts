import type { FaultCode } from '../../schemas/fault-code.ts';
import { Fault } from '../../stages/fault.ts';

/** SQLite's own result codes (sqlite.org/rescode.html), by their primary number. */
const sqlite: Record<number, FaultCode> = {
  5: 'ledger-busy',
  6: 'ledger-busy',
  8: 'out-not-writable',
  11: 'ledger-damaged',
  13: 'disk-full',
  14: 'out-not-writable',
  26: 'ledger-damaged',
};

const system: Record<string, FaultCode> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EACCES: 'out-not-writable',
  EPERM: 'out-not-writable',
  EROFS: 'out-not-writable',
  ENOTDIR: 'out-not-writable',
};

const remedies: Partial<Record<FaultCode, string>> = {
  'disk-full': 'Free some space and run the same command again.',
  'out-not-writable': 'Give write permission there, or name another folder with --out.',
  'ledger-busy': 'Wait for the other process to end, or look at it with "pipeline status".',
  'ledger-damaged': 'Keep the folder and start again under another --run name.',
};

function codeOf(error: Error): FaultCode | undefined {
  if ('errcode' in error && typeof error.errcode === 'number') return sqlite[error.errcode & 0xff];
  if ('code' in error && typeof error.code === 'string') return system[error.code];
  return undefined;
}

/** Run work that touches the run folder, and name what broke in the world; anything else travels on as it is. */
export function touching<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof Fault) throw cause;
    const code = codeOf(cause);
    if (code === undefined) throw cause;
    throw new Fault(`${what} failed: ${cause.message}. ${remedies[code] ?? ''}`.trim(), {
      code,
      cause,
    });
  }
}
