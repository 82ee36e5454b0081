import { existsSync } from 'node:fs';
import { cpus, hostname } from 'node:os';
import { join } from 'node:path';
import type Docker from 'dockerode';
import type { Command, Opening } from '../host/backend.ts';
import { namedPaths, networkFiles } from '../host/host-paths.ts';
import { SCRATCH_MODULES } from '../host/kept-deps.ts';
import { BOX_LIMITS } from '../host/limits.ts';
import { startOf } from '../host/processes.ts';
import { isRootWritable, placesInOrder } from '../host/read-only.ts';

const INSIDE = {
  workdir: '/testbed',
  outside: '/csw',
  deps: '/deps',
  home: '/csw/home',
  tmp: '/tmp',
};

/** Where a container has its folders, as commands in it see them. */
export const PLACES = INSIDE;

/** Says whose a container is: the run, and the process that made it. */
export const LABELS = {
  run: 'codespecweave.run',
  owner: 'codespecweave.owner',
  host: 'codespecweave.host',
} as const;

const ownLabels = (run: string): Record<string, string> => ({
  [LABELS.run]: run,
  [LABELS.owner]: `${process.pid}.${startOf(process.pid) ?? 0}`,
  [LABELS.host]: hostname(),
});

type Mount = Docker.MountConfig[number];
const bind = (Source: string, Target: string, ReadOnly: boolean): Mount => ({
  Type: 'bind',
  Source,
  Target,
  ReadOnly,
});

/** What a container cannot change once it runs: commands that differ in it have containers of their own. */
export type View = Pick<Command, 'readOnly' | 'most'>;

/** The work folder, read-only where that is asked for, but for some places below it. */
function workFolder({ folder }: Opening, { readOnly }: View): Mount[] {
  if (readOnly === null) return [bind(folder.workdir, INSIDE.workdir, false)];
  return [
    bind(folder.workdir, INSIDE.workdir, !isRootWritable(readOnly)),
    ...placesInOrder(readOnly).map(({ path, isWritable }) =>
      bind(join(folder.workdir, path), join(INSIDE.workdir, path), !isWritable),
    ),
  ];
}

function mounts(opening: Opening, view: View, host: Readonly<Record<string, string>>): Mount[] {
  const { folder, deps, isInstall } = opening;
  const kept = deps ?? join(folder.root, 'deps');
  const modules = join(kept, 'node_modules');
  const forInstall = isInstall ? [...new Set([...networkFiles(), ...namedPaths(host)])] : [];
  // The daemon keeps the container's own list of name servers, and writes it itself.
  const shown = forInstall.filter((path) => path !== '/etc/resolv.conf');
  return [
    ...workFolder(opening, view),
    bind(folder.outside, INSIDE.outside, false),
    bind(folder.tmp, INSIDE.tmp, false),
    bind(kept, INSIDE.deps, !isInstall),
    ...(!isInstall && existsSync(modules) ? [bind(modules, '/node_modules', true)] : []),
    ...shown.map((path) => bind(path, path, true)),
  ];
}

/** Folders in memory, empty at every start. */
function scratchFolders({ deps, isInstall }: Opening): Record<string, string> {
  const place = join('node_modules', SCRATCH_MODULES);
  const isShown = deps !== null && !isInstall && existsSync(join(deps, place));
  return {
    '/run': 'size=64m',
    '/var/tmp': 'size=256m',
    ...(isShown ? { [`/${place}`]: 'size=64m,mode=1777' } : {}),
  };
}

/** PID 1: it reaps what others leave, and starts its sleep again when a command's end swept it away. */
const IDLE = ['/bin/sh', '-c', 'while :; do sleep 3600; done'];

const atMost = (asked: number | undefined, own: number) => Math.min(asked ?? own, own);

/** The whole request for a box's container. `user` is "uid:gid", so that both sides may use the shared folders. */
export function containerRequest(
  run: string,
  opening: Opening,
  view: View,
  user: string,
  host: Readonly<Record<string, string>>,
): Docker.ContainerCreateOptions {
  const { memoryBytes, processes, cpus: ofCpus } = view.most;
  const memory = atMost(memoryBytes, BOX_LIMITS.memoryBytes);
  return {
    Image: opening.image ?? '',
    Entrypoint: [],
    Cmd: IDLE,
    User: user,
    WorkingDir: '/',
    Hostname: 'csw',
    Labels: ownLabels(run),
    HostConfig: {
      NetworkMode: opening.isInstall ? 'host' : 'none',
      ReadonlyRootfs: !opening.isInstall,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      PidsLimit: atMost(processes, BOX_LIMITS.processes),
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: Math.round(atMost(ofCpus, Math.min(cpus().length, BOX_LIMITS.cpus)) * 1e9),
      IpcMode: 'private',
      Ulimits: [
        { Name: 'core', Soft: 0, Hard: 0 },
        { Name: 'fsize', Soft: BOX_LIMITS.fileBytes, Hard: BOX_LIMITS.fileBytes },
      ],
      Tmpfs: scratchFolders(opening),
      Mounts: mounts(opening, view, host),
    },
  };
}
