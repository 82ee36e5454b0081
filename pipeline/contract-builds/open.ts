import type { Contract, PinnedBuild } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import { type Environment, EnvironmentSpec } from '../../schemas/environment.ts';
import type { Box, Clock, Sandbox } from '../../stages/context.ts';
import { parseManifest } from '../../stages/contract/manifest.ts';
import { byPrimary } from '../../stages/contract/reason-codes.ts';
import type { Builder } from '../../stages/controller/ports.ts';
import { Fault } from '../../stages/fault.ts';
import { provers } from '../provers/registry.ts';
import { layTree, strayPath, treeReason } from './laid-tree.ts';
import { NORMALISER, normalised } from './normalise.ts';
import type { Prover } from './prover.ts';
import { missingTargets, readReport } from './read-result.ts';
import { runCommands } from './run-commands.ts';

type Blobs = { put(bytes: Uint8Array): string; get(sha256: string): Uint8Array };

type Parts = {
  readonly sandbox: Sandbox;
  readonly name: Environment['sandbox'];
  readonly blobs: Blobs;
  readonly clock: Pick<Clock, 'now'>;
};

const text = (value: string) => new TextEncoder().encode(value);

/** What a contract may ask of a build and this builder does not do; to build without it would be another predicate. */
function unsupported(build: PinnedBuild): string | null {
  if (build.runs.length > 0) return 'build.runs';
  if (build.mounts.length > 0) return 'build.mounts';
  if (build.resources !== undefined) return 'build.resources';
  if (build.image !== undefined) return 'build.image';
  if (build.report !== undefined && build.report.channel !== 'stream')
    return `build.report.channel: ${build.report.channel}`;
  return null;
}

function pinned({ build, id }: Contract): PinnedBuild {
  const stop = (reason: string) =>
    new Fault(`Build of ${id} failed: ${reason}`, { code: 'environment-failed' });
  if (typeof build !== 'object') throw stop('its contract pins no build. Write a build mapping.');
  const missing = unsupported(build);
  if (missing === null) return build;
  throw stop(`this builder does not do "${missing}". Leave it out, or build elsewhere.`);
}

const proverOf = ({ semantic }: Contract): Prover | null => {
  if (semantic?.rocq !== undefined) return provers.rocq;
  return semantic?.isabelle === undefined ? null : provers.isabelle;
};

/** A box with nothing installed: B_C names its tools itself. */
const bareSpec = EnvironmentSpec.parse({
  environment: 1,
  language: 'python',
  runner: 'unittest',
  testFiles: ['**'],
  sourceFiles: ['**'],
});

async function bare({ sandbox }: Parts, signal: AbortSignal): Promise<Environment> {
  const prepared = await sandbox.prepare(bareSpec, [], signal);
  if (prepared.ready) return prepared.environment;
  throw new Fault(`Build failed: ${prepared.step}: ${prepared.tail}. Run "pipeline doctor".`, {
    code: 'environment-failed',
  });
}

type Audited = {
  readonly audit: ContractBuild['audit'];
  readonly reasons: readonly Reason[];
  readonly tool: string | null;
};

async function audited(
  box: Box,
  contract: Contract,
  build: PinnedBuild,
  isBuilt: boolean,
  signal: AbortSignal,
): Promise<Audited> {
  const prover = proverOf(contract);
  if (prover === null) return { audit: null, reasons: [], tool: null };
  const tool = await prover.version(box, signal);
  if (build.tool !== undefined && build.tool !== tool)
    throw new Fault(
      `Build failed: the contract is for ${prover.name} ${build.tool}, here is ${tool}. Install that version.`,
      { code: 'environment-failed' },
    );
  return isBuilt
    ? { ...(await prover.audit(box, contract, signal)), tool }
    : { audit: null, reasons: [], tool };
}

async function buildIn(
  box: Box,
  contract: Contract,
  tree: string,
  parts: Parts,
  signal: AbortSignal,
): Promise<ContractBuild> {
  const { blobs, clock, name } = parts;
  const build = pinned(contract);
  const entries = parseManifest(blobs.get(tree));
  await layTree(box, entries, build, blobs);
  const head = {
    sandbox: name,
    image: build.image ?? null,
    preManifest: tree,
    normaliser: NORMALISER,
    reportChannel: build.report?.channel ?? ('none' as const),
  };
  const swapped = await strayPath(box, entries, build);
  if (swapped !== null)
    return {
      ...head,
      ...nothingRan,
      status: 'false',
      reasons: [treeReason('tree-mismatch', swapped)],
    };
  const ran = await runCommands(box, build, clock, signal);
  const reported =
    ran.reasons.length > 0
      ? { results: [], streamBlob: null, reasons: [] }
      : await readReport(box, build, ran, blobs);
  const targets = ran.reasons.length > 0 ? [] : await missingTargets(box, build, entries);
  const stray = await strayPath(box, entries, build);
  const changed = stray === null ? [] : [treeReason('tree-changed', stray)];
  const sofar = [...ran.reasons, ...reported.reasons, ...targets, ...changed];
  const { audit, reasons, tool } = await audited(box, contract, build, sofar.length === 0, signal);
  const all = byPrimary([...sofar, ...reasons]);
  const places = { [box.workdir]: '<tree>', [box.outside]: '<outside>', [box.deps]: '<deps>' };
  return {
    ...head,
    status: all.length === 0 ? 'true' : 'false',
    reasons: all,
    tool,
    commands: ran.commands,
    postManifest: stray === null ? tree : null,
    results: reported.results,
    streamBlob: reported.streamBlob,
    logRawBlob: blobs.put(text(ran.log)),
    logNormalisedBlob: blobs.put(text(normalised(ran.log, places))),
    audit,
  };
}

const nothingRan = {
  tool: null,
  commands: [],
  postManifest: null,
  results: [],
  streamBlob: null,
  logRawBlob: null,
  logNormalisedBlob: null,
  audit: null,
};

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
  const { sandbox, blobs } = parts;
  return await sandbox.use(await bare(parts, signal), signal, async (box) => {
    await layTree(box, parseManifest(blobs.get(tree)), pinned(contract), blobs);
    return await prover.fingerprint(box, contract, { stub }, signal);
  });
}

/** Builds candidates of contracts in one sandbox, each in a fresh box. Source: contracts.md 9. */
export function openBuilder(parts: Parts): Builder {
  return {
    async build({ contract, tree }, signal) {
      const environment = await bare(parts, signal);
      return await parts.sandbox.use(environment, signal, (box) =>
        buildIn(box, contract, tree, parts, signal),
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
