import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../schemas/environment.ts';
import type { Clock } from '../../stages/context.ts';
import { assuranceOf } from '../../stages/contract/assurance.ts';
import type { Builder } from '../../stages/controller/ports.ts';
import { openBuilder } from '../contract-builds/open.ts';
import { hostEnvironment } from '../env.ts';
import { chooseSandbox } from '../sandboxes/choose.ts';
import type { BlobStore } from './blob-store.ts';
import type { Checked } from './check-step.ts';
import type { Step } from './load-step.ts';

type World = {
  readonly sandbox: Environment['sandbox'];
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
};

/** A builder for one command, in the sandbox that was asked for. */
export async function openStepBuilder(
  blobs: BlobStore,
  { sandbox: name, clock }: World,
): Promise<Builder> {
  const cache = join(tmpdir(), 'codespecweave-contract');
  const sandbox = await chooseSandbox(name, { run: 'contract', cache, host: hostEnvironment() });
  return openBuilder({ sandbox, name, blobs, clock });
}

/** Build(R') beside a verdict that is already given; a violating candidate is built only where the contract says `measure`. */
export async function buildStep(step: Step, checked: Checked, world: World): Promise<Checked> {
  const { candidate, report, verdict } = checked;
  const { contract, blobs } = step;
  if (candidate === null || report === null) return checked;
  if (verdict !== 'conforms' && contract.order === 'contract-first') return checked;
  const builder = await openStepBuilder(blobs, world);
  const build = await builder.build({ contract, tree: candidate }, world.signal);
  const assurance = assuranceOf(contract, report.conjuncts, build);
  return { ...checked, report: { ...report, assurance }, build };
}
