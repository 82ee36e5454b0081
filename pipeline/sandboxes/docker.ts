import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { EnvironmentSpec } from '../../schemas/environment.ts';
import type { Exit } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { defineAdapter } from '../adapter.ts';
import { askDaemon, connect, type Daemon, statusOf } from './docker/client.ts';
import { containerRequest, PLACES } from './docker/container.ts';
import { execInContainer, type Hold } from './docker/exec.ts';
import type { Backend, Opened, Opening } from './host/backend.ts';
import { folderSandbox } from './host/folder-sandbox.ts';
import { copyHostConfig } from './host/host-config.ts';
import { SandboxOptions } from './host/options.ts';
import { onDisk } from './host/world.ts';

/** The image that `pipeline image base` makes. */
const BASE_IMAGE = 'csw-base:latest';
const PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

async function inspectImage(
  { docker, socket }: Daemon,
  name: string,
): Promise<Docker.ImageInspectInfo> {
  return await askDaemon(`image ${name}`, socket, async () => {
    try {
      return await docker.getImage(name).inspect();
    } catch (cause) {
      if (statusOf(cause) !== 404) throw cause;
      const remedy = name.startsWith('csw-base')
        ? 'Run "pipeline image base".'
        : `Run "docker pull ${name}".`;
      throw new Fault(`docker sandbox failed to start: image ${name} not found. ${remedy}`, {
        code: 'image-missing',
        cause,
      });
    }
  });
}

/** In a rootless daemon the user outside is root inside; elsewhere numbers are the same on both sides. */
async function userFor({ docker, socket }: Daemon): Promise<string> {
  const info = await askDaemon('docker sandbox', socket, () => docker.info());
  const options: unknown = info.SecurityOptions;
  const isRootless =
    Array.isArray(options) && options.some((text) => /rootless/.test(String(text)));
  return isRootless ? '0:0' : `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
}

/** The daemon's "not running" and "no such container" are the state that a kill or removal wants. */
async function unlessGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const status = statusOf(error);
    if (status !== 404 && status !== 409) throw error;
  }
}

function openedBox(daemon: Daemon, container: Docker.Container, path: readonly string[]): Opened {
  const hold: Hold = {
    kill: () => unlessGone(() => container.kill()),
    isRunning: async () => (await container.inspect()).State.Running,
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    places: { ...PLACES, path },
    // The end of one command sweeps the container, so commands of one box follow each other.
    async run(command, limits, signal): Promise<Exit> {
      const mine = last.then(() =>
        askDaemon(`command "${command.argv[0]}"`, daemon.socket, async () => {
          // A limit kills the container; its folders live on, and so does the box.
          if (!(await hold.isRunning())) await container.start();
          return await execInContainer(container, command, limits, hold, signal);
        }),
      );
      last = mine.catch(() => undefined);
      return await mine;
    },
    async close() {
      const remove = () => unlessGone(() => container.remove({ force: true, v: true }));
      await askDaemon('removal of a container', daemon.socket, remove);
    },
  };
}

async function startContainer(
  daemon: Daemon,
  request: Docker.ContainerCreateOptions,
): Promise<Docker.Container> {
  const { docker, socket } = daemon;
  const container = await askDaemon('docker box', socket, () => docker.createContainer(request));
  try {
    await askDaemon('docker box', socket, () => container.start());
    return container;
  } catch (cause) {
    await unlessGone(() => container.remove({ force: true, v: true }));
    throw cause;
  }
}

const pathOf = (image: Docker.ImageInspectInfo): readonly string[] =>
  image.Config?.Env?.find((line) => line.startsWith('PATH='))
    ?.slice('PATH='.length)
    .split(':') ?? PATH;

/** One container per box, over folders of this machine that live as long: no network, no rights, a read-only root. */
export const docker = defineAdapter(SandboxOptions, (options) => {
  let connecting: Promise<{ daemon: Daemon; user: string }> | undefined;
  const reach = () => {
    connecting ??= connect(options.host).then(async (daemon) => ({
      daemon,
      user: await userFor(daemon),
    }));
    return connecting;
  };
  const backend: Backend = {
    name: 'docker',
    async image({ image }: EnvironmentSpec) {
      const { daemon } = await reach();
      return (await inspectImage(daemon, image ?? BASE_IMAGE)).Id;
    },
    async open(opening: Opening) {
      const { daemon, user } = await reach();
      const image = await inspectImage(daemon, opening.image ?? BASE_IMAGE);
      const { folder } = opening;
      await onDisk('box folder', () => mkdir(join(folder.root, 'deps')));
      if (opening.isInstall) await copyHostConfig(folder.home, options.host);
      const request = containerRequest(options.run, opening, user, options.host);
      return openedBox(daemon, await startContainer(daemon, request), pathOf(image));
    },
  };
  return folderSandbox(options, backend);
});
