import { tmpdir } from 'node:os';
import { Fault } from '../../stages/fault.ts';
import { findBwrap, requireBwrap, shutArguments } from './bwrap/find-bwrap.ts';
import { findSocket } from './docker/client.ts';
import { BASE_IMAGE, reachDocker, requireImage } from './docker/daemon.ts';
import { canLimitCpus, makeGroups, removeGroups } from './host/cgroup.ts';
import { freeBytes } from './host/room.ts';
import { findOnPath, STANDARD_PATH } from './host/toolchain.ts';

type Host = Readonly<Record<string, string>>;

/** One line of the doctor: what was looked at, whether it will do, what was seen, and what to do about it. */
export type Diagnosis = {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy: string | null;
};

/** A Fault's message ends with what to do; the doctor shows the two apart. */
function split(message: string): { readonly detail: string; readonly remedy: string | null } {
  const end = message.indexOf('. ');
  if (end === -1) return { detail: message, remedy: null };
  return { detail: message.slice(0, end + 1), remedy: message.slice(end + 2) };
}

async function look(name: string, work: () => Promise<string>): Promise<Diagnosis> {
  try {
    return { name, ok: true, detail: await work(), remedy: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { name, ok: false, ...split(error.message) };
  }
}

async function room(folder: string): Promise<string> {
  const free = await freeBytes(folder);
  if (free === null) return `${folder} cannot be looked at by this user`;
  return `${Math.floor(free / 1024 ** 2)} MB free in ${folder}`;
}

async function daemonDetail(host: Host): Promise<string> {
  const { docker, socket, user, architecture } = await reachDocker(host);
  const info = await docker.info();
  const version = String(info.ServerVersion);
  const disk = await room(String(info.DockerRootDir));
  return `Docker ${version} at ${socket}, ${architecture}, as user ${user}, ${disk}`;
}

async function imageDetail(host: Host): Promise<string> {
  const image = await requireImage(await reachDocker(host), BASE_IMAGE);
  return `${BASE_IMAGE} is ${image.Id.slice(0, 19)}`;
}

/** Without control groups a box in bwrap has the limits of a shell: processes of one user, and the memory of the machine. */
async function requireGroups(): Promise<string> {
  const box = `doctor.${process.pid}`;
  const groups = await makeGroups(box);
  await removeGroups(box);
  if (groups.length > 0) {
    return `control groups hold memory, processes${canLimitCpus() ? ' and processors' : ''}`;
  }
  const message =
    'This user may make no control groups, so no box in bwrap is held to an amount of memory. Run as root or in a delegated group (systemd-run --user --scope -p Delegate=yes), or choose --sandbox docker.';
  throw new Fault(message, { code: 'sandbox-forbidden' });
}

async function requireShut(host: Host): Promise<string> {
  const shut = await shutArguments(await findBwrap(host));
  if (shut.length > 0) return 'boxes can open no namespaces of their own';
  const message =
    'This bwrap lets boxes open user namespaces of their own. Install bubblewrap 0.8 or later.';
  throw new Fault(message, { code: 'sandbox-forbidden' });
}

/** Programs that recipes for environments start, and what is there of them. */
const PROGRAMS = ['node', 'npm', 'python3', 'go', 'cargo', 'mvn'];

async function programs({ PATH = STANDARD_PATH }: Host): Promise<string> {
  const found = await Promise.all(PROGRAMS.map((name) => findOnPath(name, PATH)));
  const [there, absent] = [true, false].map((wanted) =>
    PROGRAMS.filter((_, at) => (found[at] !== null) === wanted).join(', '),
  );
  return absent === '' ? `${there}` : `${there}; not here, so no recipe for: ${absent}`;
}

/** Look at everything that boxes need on this machine; starts nothing but one empty bubblewrap box. */
export async function diagnoseSandboxes(host: Host = {}): Promise<Diagnosis[]> {
  return await Promise.all([
    look('docker socket', async () => findSocket(host)),
    look('docker daemon', () => daemonDetail(host)),
    look('docker image', () => imageDetail(host)),
    look('bwrap', async () => `${await requireBwrap(host)}, namespaces work`),
    look('limits of bwrap', async () => requireGroups()),
    look('nesting in bwrap', () => requireShut(host)),
    look('programs', () => programs(host)),
    look('disk for boxes', () => room(tmpdir())),
    look('process', async () => 'always there, without isolation: for trusted content only'),
  ]);
}
