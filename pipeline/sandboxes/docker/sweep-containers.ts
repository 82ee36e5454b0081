import { hostname } from 'node:os';
import type Docker from 'dockerode';
import { isAlive } from '../host/processes.ts';
import { askDaemon, connect, statusOf } from './client.ts';
import { LABELS } from './container.ts';

type Labels = Readonly<Record<string, string>>;

/** Whether a container was left by a process of this machine that is no more, in this run or in any. */
function isLeft(labels: Labels, run: string | undefined): boolean {
  if (run !== undefined && labels[LABELS.run] !== run) return false;
  if (labels[LABELS.host] !== hostname()) return false;
  const [pid = '', started = ''] = (labels[LABELS.owner] ?? '').split('.');
  return /^\d+$/.test(pid) && !isAlive(Number(pid), started);
}

async function remove(container: Docker.Container): Promise<void> {
  try {
    await container.remove({ force: true, v: true });
  } catch (error) {
    // Another sweep was first.
    if (statusOf(error) !== 404 && statusOf(error) !== 409) throw error;
  }
}

/** Remove the containers of dead owners, of one run or of all; returns how many. A living neighbour's stay. */
export async function sweepContainers(host: Labels, run?: string): Promise<number> {
  const { docker, socket } = await connect(host);
  return await askDaemon('sweep of containers', socket, async () => {
    const filters = { label: [LABELS.owner] };
    const all = await docker.listContainers({ all: true, filters });
    const left = all.filter(({ Labels: labels }) => isLeft(labels, run));
    for (const { Id } of left) await remove(docker.getContainer(Id));
    return left.length;
  });
}
