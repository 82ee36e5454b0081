import { Fault } from '../../stages/fault.ts';
import { sweepContainers } from './docker/sweep-containers.ts';
import { sweepBoxFolders } from './host/box-folder.ts';

type Sweep = {
  /** Only what this run left; every run's leftovers without it. */
  readonly run?: string;
  /** The host's environment variables, to find the Docker daemon. */
  readonly host?: Readonly<Record<string, string>>;
};

/** Without a daemon there is nothing of ours in it. */
async function containers({ run, host = {} }: Sweep): Promise<number> {
  try {
    return await sweepContainers(host, run);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.code !== 'sandbox-missing' && error.code !== 'sandbox-forbidden') throw error;
    return 0;
  }
}

/** Remove what dead processes of ours left behind, and nothing that a living one uses; says how much it was. */
export async function sweep(request: Sweep): Promise<{ containers: number; folders: number }> {
  // Containers first: they still show the folders.
  const swept = await containers(request);
  return { containers: swept, folders: await sweepBoxFolders(request.run) };
}
