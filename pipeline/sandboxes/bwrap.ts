import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Exit } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { defineAdapter } from '../adapter.ts';
import { boxArguments, placesOf, withReadOnlyTree } from './bwrap/arguments.ts';
import { commandLine } from './bwrap/command-line.ts';
import { findBwrap, shutArguments } from './bwrap/find-bwrap.ts';
import type { Backend, Command, Opened } from './host/backend.ts';
import { type BoxFolder, markOf } from './host/box-folder.ts';
import { cappedOutput } from './host/capped-output.ts';
import { canLimitCpus, limitGroups, makeGroups, memoryKills, removeGroups } from './host/cgroup.ts';
import { folderSandbox } from './host/folder-sandbox.ts';
import { copyHostConfig } from './host/host-config.ts';
import { BOX_LIMITS } from './host/limits.ts';
import { SandboxOptions } from './host/options.ts';
import { killFamily } from './host/processes.ts';
import { runCommand } from './host/run-command.ts';
import { findToolchain, type Toolchain } from './host/toolchain.ts';
import { onDisk } from './host/world.ts';

/** Names for the one user of the box; the host's own list of people stays out. */
async function writeEtc(root: string): Promise<void> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const user = uid === 0 ? 'root' : 'csw';
  await mkdir(join(root, 'etc'));
  await writeFile(join(root, 'etc/passwd'), `${user}:x:${uid}:${gid}::/csw/home:/bin/sh\n`);
  await writeFile(join(root, 'etc/group'), `${user}:x:${gid}:\n`);
  await writeFile(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n');
  await writeFile(
    join(root, 'etc/nsswitch.conf'),
    'passwd: files\ngroup: files\nhosts: files dns\n',
  );
}

type Furnished = {
  readonly folder: BoxFolder;
  readonly box: readonly string[];
  readonly groups: readonly string[];
  readonly tools: Toolchain;
};

/** bwrap tells on its control descriptor whether the command ran at all; its exit code alone cannot say so. */
function hasRun(control: string, exit: Exit): boolean {
  return exit.timedOut || control.includes('"exit-code"');
}

function notRun(exit: Exit): Fault {
  const said = Buffer.from(exit.stderr).toString().trim();
  const reason =
    exit.code === null ? `bwrap was ended by ${exit.signal}` : said || 'bwrap said nothing';
  const code = exit.code === null ? 'sandbox-lost' : 'sandbox-failed';
  return new Fault(`bwrap box failed: ${reason}. Run "pipeline doctor".`, { code });
}

const unlimited = (what: string) =>
  new Fault(`Limit refused: no ${what} here. Use docker.`, { code: 'sandbox-failed' });

/** Hold the next command to its limits. Only control groups count what all processes of a command use together. */
async function limit(
  { folder, groups }: Furnished,
  { memoryBytes, processes, cpus }: Command['most'],
): Promise<void> {
  if (cpus !== undefined && !canLimitCpus()) throw unlimited('limit of processors');
  const isAsked = [memoryBytes, processes, cpus].some((asked) => asked !== undefined);
  if (isAsked && groups.length === 0) throw unlimited('control groups');
  if (groups.length === 0) return;
  const most = {
    memoryBytes: Math.min(memoryBytes ?? BOX_LIMITS.memoryBytes, BOX_LIMITS.memoryBytes),
    processes: Math.min(processes ?? BOX_LIMITS.processes, BOX_LIMITS.processes),
    cpus: Math.min(cpus ?? BOX_LIMITS.cpus, BOX_LIMITS.cpus),
  };
  await onDisk('limits of a box', () => limitGroups(basename(folder.root), most));
}

function opened(program: string, furnished: Furnished): Opened {
  const { folder, box, groups, tools } = furnished;
  const kills = () => memoryKills(basename(folder.root));
  let count = 0;
  let isLimited = false;
  return {
    places: placesOf(tools),
    async run(command, limits, signal): Promise<Exit> {
      count += 1;
      const mark = `${folder.mark}#${count};`;
      const control = cappedOutput(4096);
      const env = { ...command.env, ...markOf(mark) };
      const { readOnly, most } = command;
      const isLess = Object.keys(most).length > 0;
      if (isLess || isLimited) await limit(furnished, most);
      isLimited = isLess;
      const before = await kills();
      const own = readOnly === null ? box : withReadOnlyTree(box, folder, readOnly);
      const argv = commandLine(program, { ...command, env }, own, groups);
      const kill = (pid: number) => killFamily(pid, mark);
      const exit = await runCommand({ argv, cwd: '/', env: {}, kill, control }, limits, signal);
      const isStarved = (await kills()) > before;
      if (!isStarved && !hasRun(Buffer.from(control.bytes()).toString(), exit)) throw notRun(exit);
      return isStarved ? { ...exit, outOf: 'memory' } : exit;
    },
    async close() {
      killFamily(null, folder.mark);
      await removeGroups(basename(folder.root));
    },
  };
}

/** One bubblewrap process per command over folders that live as long as the box: namespaces, no network, an empty root. */
export const bwrap = defineAdapter(SandboxOptions, (options) => {
  let found: Promise<Toolchain> | undefined;
  const backend: Backend = {
    name: 'bwrap',
    async open(opening) {
      const program = await findBwrap(options.host);
      found ??= findToolchain(options.host);
      const tools = await found;
      const { folder } = opening;
      await onDisk('box folder', () => writeEtc(folder.root));
      if (opening.isInstall) await copyHostConfig(folder.home, options.host);
      const shut = await shutArguments(program);
      const box = [...shut, ...boxArguments(opening, tools, options.host)];
      const groups = await makeGroups(basename(folder.root));
      return opened(program, { folder, box, groups, tools });
    },
  };
  return folderSandbox(options, backend);
});
