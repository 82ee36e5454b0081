import type { RunConfig } from '../schemas/run-config.ts';
import type { Io } from './arguments.ts';
import { hasLedger, type OpenLedger, openLedger } from './ledger/open.ts';
import { runFolder } from './open-run.ts';
import { existingRun } from './run-folder.ts';

type Looking = {
  readonly config: RunConfig;
  readonly out: string | undefined;
  readonly clock: Io['clock'];
};

/** Read a run without touching a byte of it: what `--dry-run` says rests on this. A run that is not there is a usage error. */
export async function lookInto<T>(
  { config, out, clock }: Looking,
  work: (ledger: OpenLedger, folder: string) => T | Promise<T>,
): Promise<T> {
  const { folder } = existingRun({ run: config.run, out });
  const ledger = openLedger({ folder, mode: 'read', clock });
  try {
    return await work(ledger, folder);
  } finally {
    ledger.close();
  }
}

/** The same, with null where the run has not begun. */
export async function lookIfThere<T>(
  looking: Looking,
  work: (ledger: OpenLedger | null) => T | Promise<T>,
): Promise<T> {
  const isThere = hasLedger(runFolder(looking.out ?? 'out', looking.config.run));
  return isThere ? await lookInto(looking, work) : await work(null);
}
