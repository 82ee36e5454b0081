import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { choices } from './config/nearest.ts';
import { flagError } from './config/usage-problem.ts';
import { hasLedger } from './ledger/open.ts';

type Wanted = { readonly run?: string | undefined; readonly out?: string | undefined };

/** The folder of all runs: what `--out` names, else `out/` where the command was given. */
export const outFolder = (out: string | undefined): string => resolve(out ?? 'out');

/** Names of the runs below a folder, sorted. */
export function runsIn(out: string): string[] {
  if (!existsSync(out)) return [];
  return readdirSync(out)
    .filter((name) => hasLedger(resolve(out, name)))
    .toSorted();
}

/** The folder of a run that exists: the one named, or the only one there is. Throws a usage error with the names there are. */
export function existingRun({ run, out }: Wanted): {
  readonly run: string;
  readonly folder: string;
} {
  const place = outFolder(out);
  const runs = runsIn(place);
  const name = run ?? (runs.length === 1 ? runs[0] : undefined);
  if (name !== undefined && runs.includes(name)) return { run: name, folder: resolve(place, name) };
  if (runs.length === 0) throw flagError('--run', 'a run', `none in ${place}; see --out`);
  throw flagError('--run', choices(name ?? '', runs), name === undefined ? 'nothing' : `"${name}"`);
}
