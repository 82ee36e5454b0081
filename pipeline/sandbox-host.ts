import type { RunConfig } from '../schemas/run-config.ts';
import { hostEnvironment } from './env.ts';

const SCHEME = 'unix://';

/** What sandboxes may know of this machine: the user's variables, and the daemon's socket that a run file names before theirs. */
export function sandboxHost({
  docker: { socket },
}: Pick<RunConfig, 'docker'>): Record<string, string> {
  const host = { ...hostEnvironment() };
  if (socket === null) return host;
  return { ...host, DOCKER_HOST: socket.startsWith(SCHEME) ? socket : `${SCHEME}${socket}` };
}
