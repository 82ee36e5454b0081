import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf } from '../../stages/contract/canonical-json.ts';
import { boundary, Fault } from '../../stages/fault.ts';
import { type ImageStore, openImageStore } from '../sandboxes/docker/image-store.ts';
import { requireRoom } from '../sandboxes/host/room.ts';
import { findOnPath, STANDARD_PATH } from '../sandboxes/host/toolchain.ts';
import { bootstrapArguments } from './bootstrap.ts';
import { gatherInputs, type Inputs } from './inputs.ts';
import { runStep } from './run-step.ts';

/** Repository of the base images. */
export const BASES = 'csw-base';
/** Room for the tar and for the image, each. */
const NEEDED_BYTES = 2 * 1024 ** 3;

type Request = {
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /** Build although an image of the same content is there. */
  readonly force?: boolean;
  /** The host's environment variables. */
  readonly host?: Readonly<Record<string, string>>;
};

/** An image that was made, or was there already. */
export type BuiltImage = { readonly name: string; readonly id: string; readonly isNew: boolean };

async function findBootstrap(host: Readonly<Record<string, string>>): Promise<string> {
  const path = [host.PATH, STANDARD_PATH].filter((part) => part !== undefined).join(':');
  const program = await findOnPath('mmdebstrap', path);
  if (program !== null) return program;
  const message =
    'Base image failed: mmdebstrap is not installed. Run "apt-get install mmdebstrap".';
  throw new Fault(message, { code: 'environment-failed' });
}

async function build(
  store: ImageStore,
  inputs: Inputs,
  tag: string,
  request: Request,
): Promise<string> {
  const program = await findBootstrap(request.host ?? {});
  for (const folder of [tmpdir(), store.folder])
    await requireRoom('Base image', folder, NEEDED_BYTES);
  const folder = await mkdtemp(join(tmpdir(), 'csw-image-'));
  try {
    const tar = join(folder, 'root.tar');
    const argv = [program, ...bootstrapArguments(inputs, tar)];
    await runStep('mmdebstrap', argv, request.log, request.signal);
    request.log(`importing ${BASES}:${tag}`);
    return await store.importTar(tar, BASES, tag);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Make the base image of docker boxes from the packages of this host's own sources, its Node and its certificates.
 * Named by the digest of all that goes in, so building twice is one look; `csw-base:latest` names the newest.
 */
export async function buildBaseImage(request: Request): Promise<BuiltImage> {
  return await boundary('environment-failed', 'Base image', async () => {
    const store = await openImageStore(request.host ?? {});
    const inputs = await gatherInputs(request.host ?? {});
    const tag = digestOf(inputs.named).slice(0, 16);
    const name = `${BASES}:${tag}`;
    const known = request.force === true ? null : await store.find(name);
    const id = known ?? (await build(store, inputs, tag, request));
    await store.tag(id, BASES, 'latest');
    return { name, id, isNew: known === null };
  });
}
