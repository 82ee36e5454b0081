import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exit } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';
import { defineAdapter } from '../adapter.ts';
import { boxArguments, placesOf } from './bwrap/arguments.ts';
import { findBwrap } from './bwrap/find-bwrap.ts';
import type { Backend, Command, Limits, Opened } from './host/backend.ts';
import type { BoxFolder } from './host/box-folder.ts';
import { cappedOutput } from './host/capped-output.ts';
import { folderSandbox } from './host/folder-sandbox.ts';
import { copyHostConfig } from './host/host-config.ts';
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

/** `sh` stands between, so that a program that is not there is 127 and not an error of bwrap. */
function commandLine({ argv, cwd, env }: Command, box: readonly string[], mark: string): string[] {
  const [name = '', value = ''] = mark.split('=');
  const variables = Object.entries({ ...env, [name]: value });
  const set = variables.flatMap(([key, text]) => ['--setenv', key, text]);
  const shell = ['/bin/sh', '-c', 'exec "$@"', 'sh'];
  return ['--json-status-fd', '3', ...box, ...set, '--chdir', cwd, '--', ...shell, ...argv];
}

function opened(
  program: string,
  folder: BoxFolder,
  box: readonly string[],
  tools: Toolchain,
): Opened {
  let count = 0;
  return {
    places: placesOf(tools),
    async run(command: Command, limits: Limits, signal: AbortSignal): Promise<Exit> {
      count += 1;
      const mark = `${folder.mark}#${count};`;
      const control = cappedOutput(4096);
      const argv = [program, ...commandLine(command, box, mark)];
      const kill = (pid: number) => killFamily(pid, mark);
      const launch = { argv, cwd: '/', env: {}, kill, control };
      const exit = await runCommand(launch, limits, signal);
      if (!hasRun(Buffer.from(control.bytes()).toString(), exit)) throw notRun(exit);
      return exit;
    },
    async close() {
      killFamily(null, folder.mark);
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
      return opened(program, folder, boxArguments(opening, tools, options.host), tools);
    },
  };
  return folderSandbox(options, backend);
});
