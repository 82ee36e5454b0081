import type { Contract, PinnedBuild } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Environment } from '../../schemas/environment.ts';
import type { Box, Clock, Sandbox } from '../../stages/context.ts';
import { parseManifest } from '../../stages/contract/manifest.ts';
import { byPrimary } from '../../stages/contract/reason-codes.ts';
import type { Builder } from '../../stages/controller/ports.ts';
import { Fault } from '../../stages/fault.ts';
import { provers } from '../provers/registry.ts';
import { environmentOf } from './environment.ts';
import { baselineOf, reportReasons } from './expectations.ts';
import { expectedTree } from './expected-tree.ts';
import { layTree } from './laid-tree.ts';
import { NORMALISER, normalised } from './normalise.ts';
import { pinned } from './pinned.ts';
import type { Prover } from './prover.ts';
import { missingTargets } from './read-result.ts';
import { freshScratch } from './scratch.ts';
import { type Blobs, tryTree } from './trial.ts';

type Parts = {
  readonly sandbox: Sandbox;
  readonly name: Environment['sandbox'];
  readonly blobs: Blobs;
  readonly clock: Pick<Clock, 'now'>;
};

const text = (value: string) => new TextEncoder().encode(value);

const proverOf = ({ semantic }: Contract): Prover | null => {
  if (semantic?.rocq !== undefined) return provers.rocq;
  return semantic?.isabelle === undefined ? null : provers.isabelle;
};

/** The prover's version, which must be the contract's: another one may prove what this one does not. */
async function toolOf(
  box: Box,
  contract: Contract,
  { tool }: PinnedBuild,
  signal: AbortSignal,
): Promise<string | null> {
  const prover = proverOf(contract);
  if (prover === null) return null;
  const version = await prover.version(box, signal);
  if (tool === undefined || tool === version) return version;
  throw new Fault(
    `Build failed: the contract is for ${prover.name} ${tool}, here is ${version}. Install that version.`,
    { code: 'environment-failed' },
  );
}

type Audited = {
  readonly audit: ContractBuild['audit'];
  readonly reasons: readonly Reason[];
};

/** B8, in the box that has just built; nothing that a command left in its home or temporary folder is there any more. */
async function audited(
  box: Box,
  contract: Contract,
  build: PinnedBuild,
  signal: AbortSignal,
): Promise<Audited> {
  const prover = proverOf(contract);
  if (prover === null) return { audit: null, reasons: [] };
  await freshScratch(box, { ...build, writable: [] }, false, signal);
  return await prover.audit(box, contract, signal);
}

async function buildIn(
  box: Box,
  contract: Contract,
  tree: string,
  parts: Parts & { readonly image: string | null },
  signal: AbortSignal,
): Promise<ContractBuild> {
  const { blobs, clock, name, image } = parts;
  const build = pinned(contract, name);
  const baseline = baselineOf(build, blobs);
  const expected = expectedTree(parseManifest(blobs.get(tree)), build, blobs);
  const tool = await toolOf(box, contract, build, signal);
  const tried = await tryTree(box, { build, expected, blobs, clock, signal });
  const { statuses, code } = tried;
  const told = statuses === null ? [] : reportReasons(build, statuses, code, baseline);
  const targets = tried.reasons.length > 0 ? [] : await missingTargets(box, build, expected);
  const sofar = [...tried.reasons, ...told, ...targets];
  const { audit, reasons } =
    sofar.length === 0 ? await audited(box, contract, build, signal) : { audit: null, reasons: [] };
  const all = byPrimary([...sofar, ...reasons]);
  const isRun = tried.commands.length > 0;
  return {
    status: all.length === 0 ? 'true' : 'false',
    reasons: all,
    sandbox: name,
    image,
    tool,
    commands: tried.commands,
    preManifest: tree,
    postManifest: tried.root,
    results: tried.results,
    streamBlob: tried.streamBlob,
    logRawBlob: isRun ? blobs.put(text(tried.log)) : null,
    logNormalisedBlob: isRun ? blobs.put(text(normalised(tried.log, box))) : null,
    normaliser: NORMALISER,
    reportChannel: build.report?.channel ?? 'none',
    audit,
  };
}

/** The fingerprint of a tree's target in a box of its own. */
async function fingerprint(
  parts: Parts,
  contract: Contract,
  tree: string,
  stub: boolean,
  signal: AbortSignal,
): Promise<string | null> {
  const prover = proverOf(contract);
  if (prover === null) return null;
  const { sandbox, blobs, name } = parts;
  const build = pinned(contract, name);
  const expected = expectedTree(parseManifest(blobs.get(tree)), build, blobs);
  const environment = await environmentOf(parts, build, signal);
  return await sandbox.use(environment, signal, async (box) => {
    await layTree(box, expected, blobs, signal);
    return await prover.fingerprint(box, contract, { stub }, signal);
  });
}

/** Builds candidates of contracts in one sandbox, each in a fresh box. Source: contracts.md 9. */
export function openBuilder(parts: Parts): Builder {
  return {
    async build({ contract, tree }, signal) {
      const environment = await environmentOf(parts, pinned(contract, parts.name), signal);
      const image = parts.name === 'docker' ? environment.handle : null;
      return await parts.sandbox.use(environment, signal, (box) =>
        buildIn(box, contract, tree, { ...parts, image }, signal),
      );
    },
    async probe({ contract, base, tree }, signal) {
      if (proverOf(contract) === null) return null;
      const [before, after] = [
        await fingerprint(parts, contract, base, true, signal),
        await fingerprint(parts, contract, tree, false, signal),
      ];
      if (before === null)
        throw new Fault(
          `Statement of ${contract.id} failed: the base does not elaborate with a stub. Mend the base.`,
          { code: 'environment-failed' },
        );
      return { same: after === null ? null : after === before, base: before, candidate: after };
    },
  };
}
