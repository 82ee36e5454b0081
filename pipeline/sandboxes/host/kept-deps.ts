import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, link, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeFolder } from './box-folder.ts';
import { isAlive, startOf } from './processes.ts';
import { cancelled, failedWith, onDisk } from './world.ts';

/** Where the dependencies of one digest are kept. */
export const depsFolder = (cache: string, digest: string): string => join(cache, digest, 'deps');
const readyMark = (cache: string, digest: string) => join(cache, digest, 'ready');

/** In `node_modules`: where vite writes a project's configuration before it loads it. Each box has its own, empty. */
export const SCRATCH_MODULES = '.vite-temp';

/** Whether they were installed to the end. */
export async function isKept(cache: string, digest: string): Promise<boolean> {
  try {
    await access(readyMark(cache, digest));
    return true;
  } catch (error) {
    if (failedWith(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/**
 * Build the dependencies of a digest unless they are there; `build` returns null when it succeeded.
 * They are built where they stay, since programs in them carry their own path; the mark comes last and makes them count.
 */
export async function keepOnce<Failure>(
  cache: string,
  digest: string,
  signal: AbortSignal,
  build: (deps: string) => Promise<Failure | null>,
): Promise<Failure | null> {
  if (await isKept(cache, digest)) return null;
  await onDisk('cache of dependencies', () => mkdir(cache, { recursive: true }));
  const unlock = await lock(join(cache, `${digest}.lock`), signal);
  try {
    if (await isKept(cache, digest)) return null;
    return await buildAnew(cache, digest, build);
  } finally {
    await unlock();
  }
}

async function buildAnew<Failure>(
  cache: string,
  digest: string,
  build: (deps: string) => Promise<Failure | null>,
): Promise<Failure | null> {
  const deps = depsFolder(cache, digest);
  await removeFolder(join(cache, digest));
  await onDisk('cache of dependencies', () => mkdir(deps, { recursive: true }));
  const failure = await build(deps);
  if (failure === null) await onDisk('cache of dependencies', () => markReady(cache, digest));
  else await removeFolder(join(cache, digest));
  return failure;
}

/** Nothing can be mounted at a place that a read-only folder does not have, so the place is made now. */
async function markReady(cache: string, digest: string): Promise<void> {
  const modules = join(depsFolder(cache, digest), 'node_modules');
  if (existsSync(modules)) await mkdir(join(modules, SCRATCH_MODULES), { recursive: true });
  await writeFile(readyMark(cache, digest), '');
}

/** Let kept dependencies be found under a second digest too. */
export async function alsoKeptAs(cache: string, digest: string, second: string): Promise<void> {
  await onDisk('cache of dependencies', async () => {
    try {
      await symlink(digest, join(cache, second));
    } catch (error) {
      if (!failedWith(error, 'EEXIST')) throw error;
    }
  });
}

const POLL_MS = 100;

/** One builder per digest on this machine; a lock whose owner died is taken over. */
async function lock(path: string, signal: AbortSignal): Promise<() => Promise<void>> {
  const mine = `${path}.${randomUUID()}`;
  await onDisk('cache lock', () => writeFile(mine, `${process.pid} ${startOf(process.pid) ?? 0}`));
  try {
    while (!(await take(mine, path))) await pause(signal);
  } finally {
    await rm(mine, { force: true });
  }
  return () => onDisk('cache lock', () => rm(path, { force: true }));
}

/** A hard link appears with its content at once, so nobody reads a lock without an owner. */
async function take(mine: string, path: string): Promise<boolean> {
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if (!failedWith(error, 'EEXIST')) throw error;
  }
  if (await isOwned(path)) return false;
  await rm(path, { force: true });
  return false;
}

async function isOwned(path: string): Promise<boolean> {
  try {
    const [pid = '', started = ''] = (await readFile(path, 'utf8')).split(' ');
    return isAlive(Number(pid), started);
  } catch (error) {
    if (failedWith(error, 'ENOENT')) return false;
    throw error;
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw cancelled(signal);
  await sleep(POLL_MS);
}
