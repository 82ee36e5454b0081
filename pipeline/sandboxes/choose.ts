import { tmpdir } from 'node:os';
import type { Environment } from '../../schemas/environment.ts';
import type { Sandbox } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { requireBwrap } from './bwrap/find-bwrap.ts';
import { reachDocker } from './docker/daemon.ts';
import { sweepBoxFolders } from './host/box-folder.ts';
import { SandboxOptions } from './host/options.ts';
import { requireRoom } from './host/room.ts';
import { sandboxes } from './registry.ts';
import { sweep } from './sweep.ts';

type Name = Environment['sandbox'];
type Host = Readonly<Record<string, string>>;

/** Room for the box folders of a few tasks at once. */
const NEEDED_BYTES = 256 * 1024 ** 2;

const probes: Readonly<Record<Name, (host: Host) => Promise<unknown>>> = {
  process: async () => undefined,
  bwrap: requireBwrap,
  docker: reachDocker,
};

/** The Fault that `work` ends in, or null. */
async function faultOf(work: () => Promise<unknown>): Promise<Fault | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** Docker where a daemon answers, else bubblewrap where it works; never one without isolation. */
async function findIsolated(host: Host): Promise<Name> {
  const noDocker = await faultOf(() => reachDocker(host));
  if (noDocker === null) return 'docker';
  const noBwrap = await faultOf(() => requireBwrap(host));
  if (noBwrap === null) return 'bwrap';
  const message = `No sandbox here. ${noDocker.message} ${noBwrap.message} For content you trust there is --sandbox process, which has no isolation.`;
  throw new Fault(message, { code: 'sandbox-missing', cause: noDocker });
}

/**
 * Open the sandbox that was asked for, after a look whether it can work here and a sweep of what this run left
 * when it was killed. Throws Faults that name the remedy, before anything is started or spent.
 */
export async function chooseSandbox(kind: Name | 'auto', options: unknown): Promise<Sandbox> {
  const { run, host } = SandboxOptions.parse(options);
  const name = kind === 'auto' ? await findIsolated(host) : kind;
  await probes[name](host);
  await requireRoom(`${name} sandbox`, tmpdir(), NEEDED_BYTES);
  // Without containers of our own to look for, the daemon is left alone.
  if (name === 'docker') await sweep({ run, host });
  else await sweepBoxFolders(run);
  return sandboxes[name](options);
}
