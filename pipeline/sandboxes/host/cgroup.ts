import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOX_LIMITS } from './limits.ts';
import { failedWith } from './world.ts';

const ROOT = '/sys/fs/cgroup';
const OURS = 'codespecweave';

/** One control group of a box: its folder, and the limits by file name. */
type Group = {
  readonly folder: string;
  readonly limits: Readonly<Record<string, number | string>>;
};

type Most = { readonly processes: number; readonly memoryBytes: number; readonly cpus: number };

/** The kernel shares out processors by this much time, in microseconds. */
const PERIOD_US = 100_000;

const isSecond = () => existsSync(`${ROOT}/cgroup.controllers`);

/** Whether the kernel of this machine can hold a group to a share of the processors. */
export const canLimitCpus = (): boolean =>
  isSecond()
    ? /\bcpu\b/.test(readFileSync(`${ROOT}/cgroup.controllers`, 'utf8'))
    : existsSync(`${ROOT}/cpu/cpu.cfs_quota_us`);

/** The second version has one tree for all; the first has one for each kind of limit. */
function groupsFor(box: string, { processes, memoryBytes, cpus }: Most = BOX_LIMITS): Group[] {
  const quota = Math.round(cpus * PERIOD_US);
  const hasCpus = canLimitCpus();
  if (isSecond()) {
    const share = hasCpus ? { 'cpu.max': `${quota} ${PERIOD_US}` } : {};
    const limits = { 'pids.max': processes, 'memory.max': memoryBytes, ...share };
    return [{ folder: join(ROOT, OURS, box), limits }];
  }
  const share = { folder: join(ROOT, 'cpu', OURS, box), limits: { 'cpu.cfs_quota_us': quota } };
  return [
    { folder: join(ROOT, 'pids', OURS, box), limits: { 'pids.max': processes } },
    { folder: join(ROOT, 'memory', OURS, box), limits: { 'memory.limit_in_bytes': memoryBytes } },
    ...(hasCpus ? [share] : []),
  ];
}

const writeLimits = async ({ folder, limits }: Group) => {
  for (const [name, value] of Object.entries(limits))
    await writeFile(join(folder, name), String(value));
};

/** Hold the groups of a box to other limits from now on. */
export async function limitGroups(box: string, most: Most): Promise<void> {
  for (const group of groupsFor(box, most)) await writeLimits(group);
}

/** How often the kernel ended something in these groups for want of memory; 0 where nobody counts. */
export async function memoryKills(box: string): Promise<number> {
  const file = isSecond()
    ? join(ROOT, OURS, box, 'memory.events')
    : join(ROOT, 'memory', OURS, box, 'memory.oom_control');
  try {
    return Number(/^oom_kill (\d+)$/m.exec(await readFile(file, 'utf8'))?.[1] ?? 0);
  } catch (error) {
    if (mayNot(error)) return 0;
    throw error;
  }
}

async function enableControllers(): Promise<void> {
  if (!isSecond()) return;
  for (const folder of [ROOT, join(ROOT, OURS)]) {
    const share = canLimitCpus() ? ' +cpu' : '';
    await writeFile(join(folder, 'cgroup.subtree_control'), `+pids +memory${share}`);
  }
}

/** Who is not root, or sits in a container, may not make groups; limits then are what the shell's own can do. */
const mayNot = (error: unknown) =>
  failedWith(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT', 'EBUSY', 'EINVAL', 'EOPNOTSUPP');

/** Make the groups of a box; the files that a process writes its id into to join, none where that is not allowed. */
export async function makeGroups(box: string): Promise<string[]> {
  const groups = groupsFor(box);
  try {
    for (const { folder } of groups) await mkdir(join(folder, '..'), { recursive: true });
    await enableControllers();
    for (const group of groups) {
      await mkdir(group.folder);
      await writeLimits(group);
    }
    return groups.map(({ folder }) => join(folder, 'cgroup.procs'));
  } catch (error) {
    if (!mayNot(error)) throw error;
    await removeGroups(box);
    return [];
  }
}

/** Remove the groups of a box; the kernel keeps one for a moment after its last process. */
export async function removeGroups(box: string): Promise<void> {
  for (const { folder } of groupsFor(box)) {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      if (await removed(folder)) break;
      await sleep(25);
    }
  }
}

async function removed(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (failedWith(error, 'EBUSY')) return false;
    if (mayNot(error)) return true;
    throw error;
  }
}
