import type Docker from 'dockerode';
import { Fault } from '../../../stages/fault.ts';
import { requireRoom } from '../host/room.ts';
import { askDaemon, connect, type Daemon, statusOf } from './client.ts';

/** The image that `pipeline image base` makes. */
export const BASE_IMAGE = 'csw-base:latest';
/** Room that the daemon needs to start containers and keep their logs. */
const NEEDED_BYTES = 512 * 1024 ** 2;

/** A daemon, with what boxes must know of it. */
export type Reached = Daemon & {
  /** "uid:gid" of commands, so that both sides may use the shared folders. */
  readonly user: string;
  /** The machine's architecture, as images name it. */
  readonly architecture: string;
};

/** The kernel's name of a machine, in the words of images. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7l: 'arm',
  i686: '386',
};

/** In a rootless daemon the user outside is root inside; elsewhere numbers are the same on both sides. */
function userOf(securityOptions: unknown): string {
  const options: readonly unknown[] = Array.isArray(securityOptions) ? securityOptions : [];
  const isRootless = options.some((text) => /rootless/.test(String(text)));
  return isRootless ? '0:0' : `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
}

/** Connect to the daemon and look whether it can carry boxes. Throws Faults that say what to do. */
export async function reachDocker(
  host: Readonly<Record<string, string>>,
  limitMs?: number,
): Promise<Reached> {
  const daemon = await connect(host, limitMs);
  const info = await askDaemon('docker sandbox', daemon.socket, () => daemon.docker.info());
  await requireRoom('docker sandbox', String(info.DockerRootDir), NEEDED_BYTES);
  const machine = String(info.Architecture);
  const architecture = ARCHITECTURES[machine] ?? machine;
  return { ...daemon, user: userOf(info.SecurityOptions), architecture };
}

/** Look at an image. Throws the Fault `image-missing` where there is none, or one for another machine. */
export async function requireImage(
  { docker, socket, architecture }: Reached,
  name: string,
): Promise<Docker.ImageInspectInfo> {
  const remedy = name === BASE_IMAGE ? 'Run "pipeline image base".' : `Run "docker pull ${name}".`;
  const refuse = (why: string, cause?: unknown) =>
    new Fault(`docker sandbox failed to start: image ${name} ${why}. ${remedy}`, {
      code: 'image-missing',
      cause,
    });
  return await askDaemon(`image ${name}`, socket, async () => {
    const image = await docker
      .getImage(name)
      .inspect()
      .catch((cause: unknown) => {
        if (statusOf(cause) !== 404) throw cause;
        throw refuse('not found', cause);
      });
    if (image.Architecture === architecture) return image;
    throw refuse(`is for ${image.Architecture}, this machine is ${architecture}`);
  });
}
