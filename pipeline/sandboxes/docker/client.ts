import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Docker from 'dockerode';
import { boundary, Fault } from '../../../stages/fault.ts';
import { failedWith } from '../host/world.ts';
import { limitAnswers } from './answer-limit.ts';

type Host = Readonly<Record<string, string>>;

/** Where a daemon of this machine may listen, most wanted first; DOCKER_HOST decides alone where it is set. */
function socketCandidates(host: Host): string[] {
  const { DOCKER_HOST, XDG_RUNTIME_DIR, HOME } = host;
  if (DOCKER_HOST !== undefined && DOCKER_HOST !== '') return [localSocket(DOCKER_HOST)];
  const rootless = XDG_RUNTIME_DIR === undefined ? [] : [`${XDG_RUNTIME_DIR}/docker.sock`];
  const desktop = HOME === undefined ? [] : [`${HOME}/.docker/run/docker.sock`];
  return ['/var/run/docker.sock', ...rootless, ...desktop];
}

/** Boxes are folders of this machine, so the daemon has to be here too. */
function localSocket(address: string): string {
  if (address.startsWith('unix://')) return address.slice('unix://'.length);
  const message = `docker sandbox failed to start: DOCKER_HOST is "${address}", expected unix://PATH. Use a daemon on this machine, or --sandbox bwrap.`;
  throw new Fault(message, { code: 'sandbox-missing' });
}

/** The socket to use. Throws the Fault `sandbox-missing` where there is none. */
export function findSocket(host: Host): string {
  const candidates = socketCandidates(host);
  const socket = candidates.find((path) => existsSync(path));
  if (socket !== undefined) return socket;
  const message = `docker sandbox failed to start: no socket at ${candidates.join(' or ')}. Start the Docker daemon, set DOCKER_HOST or "docker.socket" in the run file, or choose --sandbox bwrap.`;
  throw new Fault(message, { code: 'sandbox-missing' });
}

/** What the daemon answered, where it did: docker-modem puts the status on the error. */
export const statusOf = (error: unknown): number | null =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : null;

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function unreachable(cause: unknown, what: string, socket: string): Fault | null {
  if (failedWith(cause, 'EACCES', 'EPERM')) {
    const user = process.getuid?.() ?? 'this user';
    const message = `${what} failed: user ${user} may not use ${socket}. Add the user to the group "docker" and log in again, or choose --sandbox bwrap.`;
    return new Fault(message, { code: 'sandbox-forbidden', cause });
  }
  if (failedWith(cause, 'ETIMEDOUT')) {
    const message = `${what} failed: the daemon at ${socket} is ${messageOf(cause)}. Restart it, or choose --sandbox bwrap.`;
    return new Fault(message, { code: 'sandbox-missing', cause });
  }
  if (!failedWith(cause, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE')) return null;
  const message = `${what} failed: no Docker daemon answers at ${socket}. Start it, or choose --sandbox bwrap.`;
  return new Fault(message, { code: 'sandbox-missing', cause });
}

/** Cross to the daemon; what it says or does not say becomes a Fault with its remedy. */
export async function askDaemon<T>(
  what: string,
  socket: string,
  work: () => Promise<T>,
): Promise<T> {
  return await boundary('sandbox-failed', what, async () => {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof Fault) throw cause;
      const fault = unreachable(cause, what, socket);
      if (fault !== null) throw fault;
      if (!/no space left on device/i.test(messageOf(cause))) throw cause;
      const message = `${what} failed: the Docker daemon's disk is full. Run "docker system prune", or move its data folder.`;
      throw new Fault(message, { code: 'disk-full', cause });
    }
  });
}

/** Cross to the daemon for an open box: one that no longer answers took the box with it. */
export async function askInBox<T>(
  what: string,
  socket: string,
  work: () => Promise<T>,
): Promise<T> {
  return await askDaemon(what, socket, async () => {
    try {
      return await work();
    } catch (cause) {
      const fault = cause instanceof Fault ? cause : unreachable(cause, what, socket);
      if (fault?.code === 'sandbox-missing') throw lostBox(`no answer from ${socket}`, cause);
      const status = statusOf(cause);
      if (status !== 404 && status !== 409) throw cause;
      throw lostBox('its container is gone', cause);
    }
  });
}

/** The Fault of a box that went while it was open; the same work in a fresh box may succeed. */
export function lostBox(why: string, cause?: unknown): Fault {
  const message = `docker box lost: ${why}. Run "pipeline doctor" and resume.`;
  return new Fault(message, { code: 'sandbox-lost', retryable: true, cause });
}

/** A daemon that hangs takes connections and never answers; making a container may take seconds on a loaded machine. */
const ANSWER_LIMIT_MS = 120_000;
const PING_LIMIT_MS = 10_000;

/** One client, and the socket it speaks to. */
export type Daemon = { readonly docker: Docker; readonly socket: string };

/** Connect and hear from the daemon once, before anything is spent. */
export async function connect(host: Host, limitMs = ANSWER_LIMIT_MS): Promise<Daemon> {
  const socket = findSocket(host);
  const docker = new Docker({ socketPath: socket });
  limitAnswers(docker, limitMs);
  await askDaemon('docker sandbox', socket, async () => {
    const answer = docker.ping();
    const late = sleep(PING_LIMIT_MS, 'late' as const, { ref: false });
    if ((await Promise.race([answer, late])) !== 'late') return;
    const message = `docker sandbox failed to start: the daemon at ${socket} is silent for ${PING_LIMIT_MS / 1000} s. Restart it, or choose --sandbox bwrap.`;
    throw new Fault(message, { code: 'sandbox-missing' });
  });
  return { docker, socket };
}
