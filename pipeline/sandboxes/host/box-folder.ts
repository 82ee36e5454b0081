import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { removeGroups } from './cgroup.ts';
import { isAlive, killFamily, startOf } from './processes.ts';
import { onDisk } from './world.ts';

/** The host's side of one box: a private folder whose name tells its run and its owner. */
export type BoxFolder = {
  readonly root: string;
  readonly workdir: string;
  readonly outside: string;
  readonly home: string;
  readonly tmp: string;
  /** Stands in the environment of every command of the box, so that stray ones are found. */
  readonly mark: string;
};

const PREFIX = 'csw-box';
const MARK = 'CSW_BOX=';
const labelOf = (run: string) => run.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60);

/** Make the folders of a new box. The owner stands in the name, so no crash leaves one without. */
export async function makeBoxFolder(run: string): Promise<BoxFolder> {
  const owner = `${PREFIX}.${labelOf(run)}.${process.pid}.${startOf(process.pid) ?? 0}.`;
  return await onDisk('box folder', async () => {
    const root = await mkdtemp(join(tmpdir(), owner));
    const [workdir, outside] = [join(root, 'testbed'), join(root, 'csw')];
    const folder = { root, workdir, outside, home: join(outside, 'home'), tmp: join(root, 'tmp') };
    for (const path of [workdir, outside, folder.home, folder.tmp]) await mkdir(path);
    return { ...folder, mark: `${MARK}${basename(root)}` };
  });
}

/** The variable that carries a mark. */
export const markOf = (mark: string): Record<string, string> => ({
  CSW_BOX: mark.slice(MARK.length),
});

/** Give back the right to delete: a command may have taken it from its own folders. Names are bytes here. */
async function unlock(folder: Buffer): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (!entry.isDirectory()) continue;
    await unlock(Buffer.concat([folder, Buffer.from('/'), entry.name]));
  }
}

/** Remove a folder and all in it; one that is gone already is fine. */
export async function removeFolder(root: string): Promise<void> {
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 3 });
  await onDisk('removal of a box', async () => {
    try {
      await remove();
    } catch {
      await unlock(Buffer.from(root));
      await remove();
    }
  });
}

type Leftover = { readonly root: string; readonly run: string };

async function leftovers(): Promise<Leftover[]> {
  const found: Leftover[] = [];
  for (const name of await readdir(tmpdir())) {
    const [prefix, run = '', pid = '', started = ''] = name.split('.');
    if (prefix !== PREFIX || !/^\d+$/.test(pid) || isAlive(Number(pid), started)) continue;
    found.push({ root: join(tmpdir(), name), run });
  }
  return found;
}

/** Remove the boxes of dead owners, of one run or of all; returns how many. A living neighbour's stay. */
export async function sweepBoxFolders(run?: string): Promise<number> {
  const dead = await onDisk('sweep of boxes', leftovers);
  const mine = dead.filter((left) => run === undefined || left.run === labelOf(run));
  for (const { root } of mine) {
    killFamily(null, `${MARK}${basename(root)}`);
    await removeGroups(basename(root));
    await removeFolder(root);
  }
  return mine.length;
}
