import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { Exit } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { defineAdapter } from '../adapter.ts';
import { askDaemon, askInBox, type Daemon, statusOf } from './docker/client.ts';
import { containerRequest, PLACES, type View } from './docker/container.ts';
import { BASE_IMAGE, type Reached, reachDocker, requireImage } from './docker/daemon.ts';
import { execInContainer, type Hold } from './docker/exec.ts';
import { isStarved } from './docker/starved.ts';
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

const holdOf = (container: Docker.Container): Hold => ({
  kill: () => unlessGone(() => container.kill()),
  isRunning: async () => (await container.inspect()).State.Running,
  isStarved: () => isStarved(container),
});

type Start = (view: View) => Promise<Docker.Container>;

/** The containers of one box, over the same folders: one for each view that a command asked for. */
function viewsOf(start: Start) {
  const containers = new Map<string, Docker.Container>();
  return {
    async of({ readOnly, most }: View): Promise<Docker.Container> {
      const key = JSON.stringify([readOnly, most]);
      const container = containers.get(key) ?? (await start({ readOnly, most }));
      containers.set(key, container);
      return container;
    },
    all: () => [...containers.values()],
  };
}

const PLAIN: View = { readOnly: null, most: {} };

async function openedBox(daemon: Daemon, start: Start, path: readonly string[]): Promise<Opened> {
  const views = viewsOf(start);
  await views.of(PLAIN);
  let last: Promise<unknown> = Promise.resolve();
  return {
    places: { ...PLACES, path },
    // The end of one command sweeps the container, so commands of one box follow each other.
    async run(command, limits, signal): Promise<Exit> {
      const mine = last.then(() =>
        askInBox(`command "${command.argv[0]}"`, daemon.socket, async () => {
          const container = await views.of(command);
          const hold = holdOf(container);
          // A limit kills the container; its folders live on, and so does the box.
          if (!(await hold.isRunning())) await container.start();
          const exit = await execInContainer(container, command, limits, hold, signal);
          // A new start forgets the want of memory, which is this command's alone.
          if (exit.outOf !== undefined) await hold.kill();
          return exit;
        }),
      );
      last = mine.catch(() => undefined);
      return await mine;
    },
    async close() {
      const remove = async (container: Docker.Container) =>
        await askDaemon('removal of a container', daemon.socket, () =>
          unlessGone(() => container.remove({ force: true, v: true })),
        );
      const ends = await Promise.allSettled(views.all().map(remove));
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    },
  };
}

/** The runtime says in many words that it found no shell to start. */
async function started(container: Docker.Container, image: string): Promise<void> {
  try {
    await container.start();
  } catch (cause) {
    if (!/\/bin\/sh\b.*no such file/is.test(String(cause))) throw cause;
    const message = `docker box failed to start: image ${image.slice(0, 19)} has no /bin/sh. Choose an image with a shell, or run "pipeline image base".`;
    throw new Fault(message, { code: 'image-missing', cause });
  }
}

async function startContainer(
  daemon: Daemon,
  request: Docker.ContainerCreateOptions,
): Promise<Docker.Container> {
  const { docker, socket } = daemon;
  const container = await askDaemon('docker box', socket, () => docker.createContainer(request));
  try {
    await askDaemon('docker box', socket, () => started(container, request.Image ?? ''));
    return container;
  } catch (cause) {
    // What broke the start is told; a container that cannot be removed now is swept later.
    await container.remove({ force: true, v: true }).catch(() => undefined);
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
    reaching ??= reachDocker(options.host, options.answerMs).catch((error: unknown) => {
      // A daemon that comes back later is found then.
      reaching = undefined;
      throw error;
    });
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
      const start: Start = (view) => {
        const request = containerRequest(options.run, opening, view, daemon.user, options.host);
        return startContainer(daemon, request);
      };
      return await openedBox(daemon, start, pathOf(image));
    },
  };
  return folderSandbox(options, backend);
});
