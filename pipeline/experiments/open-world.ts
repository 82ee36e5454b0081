import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../schemas/environment.ts';
import type { Clock } from '../../stages/context.ts';
import { openBuilder } from '../contract-builds/open.ts';
import { hostEnvironment, variable } from '../env.ts';
import { guessUsd } from '../ledger/money.ts';
import { openModels } from '../models/open.ts';
import { openMeter } from '../models/with-budget.ts';
import { chooseSandbox } from '../sandboxes/choose.ts';
import type { Experiment } from './folder.ts';
import { openShells } from './shells.ts';

type Blobs = { put(bytes: Uint8Array): string; get(sha256: string): Uint8Array };

/** Where builds and shells run. */
export async function openBoxes(
  name: Environment['sandbox'],
  blobs: Blobs,
  clock: Pick<Clock, 'now'>,
) {
  const cache = join(tmpdir(), 'codespecweave-contract');
  const sandbox = await chooseSandbox(name, { run: 'experiment', cache, host: hostEnvironment() });
  return {
    builder: openBuilder({ sandbox, name, blobs, clock }),
    shells: openShells(sandbox, blobs),
  };
}

/** The models of a plan; mailboxes lie in the experiment's folder. The plan's own recovery rule repeats calls, nothing else does. */
export function openEntrants(
  { plan, folder }: Experiment,
  clock: Clock,
  wait: boolean,
  tell: (line: string) => void,
) {
  const caps = { ...plan.budget, wall_s: null };
  const meter = openMeter({ caps, clock, spent: { usd: 0, calls: 0 }, guess: guessUsd });
  const patience = { tries: 1 };
  const open = openModels(plan.entrants, {
    clock,
    meter,
    env: variable,
    runFolder: folder,
    wait,
    tell,
    patience,
  });
  return (entrant: string) => open('solver', entrant);
}
