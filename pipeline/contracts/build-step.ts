import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../schemas/environment.ts';
import type { Clock } from '../../stages/context.ts';
import { assuranceOf } from '../../stages/contract/assurance.ts';
import { withStatement } from '../../stages/controller/judge.ts';
import type { Builder } from '../../stages/controller/ports.ts';
import { Fault } from '../../stages/fault.ts';
import { flagError } from '../config/usage-problem.ts';
import { openBuilder } from '../contract-builds/open.ts';
import { hostEnvironment } from '../env.ts';
import { chooseSandbox } from '../sandboxes/choose.ts';
import type { Checked } from './check-step.ts';
import type { Step } from './load-step.ts';

export type World = {
  readonly sandbox: Environment['sandbox'];
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
};

/** A contract names hidden tests and a baseline by their hashes alone; a call from the command line has only its trees. */
function assertAtHand({ contract, blobs }: Step): void {
  if (typeof contract.build !== 'object')
    throw flagError('--build', 'a contract that pins its build', '"build: unpinned"');
  const { overlay, expect } = contract.build;
  const named = [
    ...overlay.map(({ path, sha256 }) => ({ what: `the overlay's "${path}"`, sha256 })),
    ...(expect.baseline === undefined
      ? []
      : [{ what: 'build.expect.baseline', sha256: expect.baseline }]),
  ];
  const absent = named.find(({ sha256 }) => !blobs.has(sha256.replace(/^sha256:/u, '')));
  if (absent === undefined) return;
  throw new Fault(
    `Build of ${contract.id} failed: the bytes of ${absent.what} are not in the base or the candidate. Judge it where they are stored.`,
    { code: 'environment-failed' },
  );
}

/** A builder for one command, in the sandbox that was asked for. */
export async function openStepBuilder(
  step: Step,
  { sandbox: name, clock }: World,
): Promise<Builder> {
  assertAtHand(step);
  const { blobs } = step;
  const cache = join(tmpdir(), 'codespecweave-contract');
  const sandbox = await chooseSandbox(name, { run: 'contract', cache, host: hostEnvironment() });
  return openBuilder({ sandbox, name, blobs, clock });
}

/**
 * Build(R') beside a verdict that is already given; a violating candidate is built only where the contract says
 * `measure`. After a passed build a prover is asked whether the target still states the same.
 */
export async function buildStep(step: Step, checked: Checked, world: World): Promise<Checked> {
  const { candidate, report, verdict } = checked;
  const { contract, base } = step;
  if (candidate === null || report === null) return checked;
  if (verdict !== 'conforms' && contract.order === 'contract-first') return checked;
  const builder = await openStepBuilder(step, world);
  const build = await builder.build({ contract, tree: candidate }, world.signal);
  const statement =
    build.status === 'true'
      ? await builder.probe({ contract, base, tree: candidate }, world.signal)
      : null;
  const told = withStatement(report, statement);
  const assurance = assuranceOf(contract, told.conjuncts, build);
  return {
    ...checked,
    verdict: told.conforms ? 'conforms' : 'violates',
    reasons: told.reasons,
    report: { ...told, assurance },
    build,
  };
}
