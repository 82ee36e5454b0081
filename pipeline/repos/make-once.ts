import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { present } from './present.ts';

const errorCode = (error: unknown) =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Half-made folders whose maker is gone; a living neighbour's stays. */
async function sweepHalves(folder: string): Promise<void> {
  const [place, name] = [dirname(folder), basename(folder)];
  for (const entry of await readdir(place)) {
    const [, pid] = /^(\d+)\.part$/.exec(entry.slice(name.length + 1)) ?? [];
    if (pid === undefined || !entry.startsWith(`${name}.`)) continue;
    if (Number(pid) !== process.pid && (await present(`/proc/${pid}`))) continue;
    await rm(join(place, entry), { recursive: true, force: true });
  }
}

/**
 * A folder that is made whole or not at all, once: `build` fills a folder of its own, which then takes the name.
 * Two processes may build at the same time; the first to finish wins and both go on with its folder.
 */
export async function makeOnce(
  folder: string,
  build: (half: string) => Promise<void>,
): Promise<string> {
  if (await present(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  await sweepHalves(folder);
  const half = `${folder}.${process.pid}.part`;
  try {
    await build(half);
    await rename(half, folder);
  } catch (error) {
    const isLate = ['ENOTEMPTY', 'EEXIST'].includes(String(errorCode(error)));
    if (!isLate || !(await present(folder))) throw error;
  } finally {
    await rm(half, { recursive: true, force: true });
  }
  return folder;
}
