import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { Exit } from '../../stages/context.ts';
import { defineAdapter } from '../adapter.ts';
import { askDaemon, type Daemon, statusOf } from './docker/client.ts';
import { containerRequest, PLACES } from './docker/container.ts';
import { BASE_IMAGE, type Reached, reachDocker, requireImage } from './docker/daemon.ts';
import { execInContainer, type Hold } from './docker/exec.ts';
import type { Backend, Opened, Opening } from './host/backend.ts';
import { folderSandbox } from './host/folder-sandbox.ts';
import { copyHostConfig } from './host/host-config.ts';
import { SandboxOptions } from './host/options.ts';
import { onDisk } from './host/world.ts';

const PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

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
  let reaching: Promise<Reached> | undefined;
  const reach = () => {
    reaching ??= reachDocker(options.host);
    return reaching;
  };
  const backend: Backend = {
    name: 'docker',
    async image({ image }) {
      const daemon = await reach();
      return (await requireImage(daemon, image ?? BASE_IMAGE)).Id;
    },
    async open(opening: Opening) {
      const daemon = await reach();
      const image = await requireImage(daemon, opening.image ?? BASE_IMAGE);
      const { folder } = opening;
      await onDisk('box folder', () => mkdir(join(folder.root, 'deps')));
      if (opening.isInstall) await copyHostConfig(folder.home, options.host);
      const request = containerRequest(options.run, opening, daemon.user, options.host);
      return openedBox(daemon, await startContainer(daemon, request), pathOf(image));
    },
  };
  return folderSandbox(options, backend);
});
