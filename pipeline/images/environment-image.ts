import { boundary, Fault } from '../../stages/fault.ts';
import { openImageStore } from '../sandboxes/docker/image-store.ts';
import { requireRoom } from '../sandboxes/host/room.ts';
import type { BuiltImage } from './base.ts';
import { readContext } from './build-context.ts';

/** Repository of the images that are built from users' Dockerfiles. */
export const ENVIRONMENTS = 'csw-env';
const NEEDED_BYTES = 2 * 1024 ** 3;

type Request = {
  /** Path of the Dockerfile; the folder it lies in is the build's context. */
  readonly file: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
  /** The host's environment variables. */
  readonly host: Readonly<Record<string, string>>;
};

const PROXIES = /^(https?|no|all|ftp)_proxy$/i;

/**
 * Build the image of a user's Dockerfile, with network, unless one of the same content is there. Named `csw-env:<digest>` after the
 * Dockerfile and its context. A step that fails is the Fault `env-build-failed`, with the step and its last lines.
 */
export async function buildEnvironmentImage(request: Request): Promise<BuiltImage> {
  const { file, log, signal, host } = request;
  return await boundary('environment-failed', 'Environment image', async () => {
    const context = await readContext(file);
    const store = await openImageStore(host);
    const tag = context.digest.slice(0, 16);
    const name = `${ENVIRONMENTS}:${tag}`;
    const known = await store.find(name);
    if (known !== null) return { name, id: known, isNew: false };
    await requireRoom('Environment image', store.folder, NEEDED_BYTES);
    const proxies = Object.entries(host).filter(([variable]) => PROXIES.test(variable));
    const buildArgs = Object.fromEntries(proxies);
    const built = await store.build({ ...context, name, buildArgs, log, signal });
    if (built.ok) return { name, id: built.id, isNew: true };
    const message = `Environment image failed at "${built.step}": ${built.tail}. Mend ${context.dockerfile} and try again.`;
    throw new Fault(message, { code: 'env-build-failed' });
  });
}
