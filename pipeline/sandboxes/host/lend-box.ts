import { join } from 'node:path/posix';
import type { Box } from '../../../stages/context.ts';
import { Fault } from '../../../stages/fault.ts';
import type { Backend, Opened, Opening } from './backend.ts';
import { boxFiles } from './box-files.ts';
import { makeBoxFolder, removeFolder } from './box-folder.ts';
import { hasRealParents, type Mounted, resolveBoxPath } from './box-path.ts';
import { boxEnv, startEnv } from './pins.ts';
import { shownReadOnly } from './read-only.ts';
import { cancelled } from './world.ts';

type Mounts = readonly [Mounted, ...Mounted[]];

async function requireFolder(cwd: string, mounts: Mounts): Promise<string> {
  const place = resolveBoxPath(cwd, mounts);
  // A name below the folder makes the folder itself one of the parents.
  if (await hasRealParents({ ...place, names: [...place.names, ''] }))
    return join(inside(place.root, mounts), ...place.names);
  const message = `Command refused: "${cwd}" is no folder of the box. Make it first.`;
  throw new Fault(message, { code: 'sandbox-failed' });
}

const inside = (host: string, mounts: Mounts) =>
  mounts.find((mount) => mount.host === host)?.inside ?? mounts[0].inside;

/** The port's view of an open box. */
function boxOf(opened: Opened, opening: Opening, whole: AbortSignal): Box {
  const { places } = opened;
  const { folder, spec } = opening;
  const mounts: Mounts = [
    { inside: places.workdir, host: folder.workdir },
    { inside: places.outside, host: folder.outside },
  ];
  return {
    workdir: places.workdir,
    outside: places.outside,
    deps: places.deps,
    ...boxFiles(mounts),
    async exec(argv, options, signal) {
      const cwd = await requireFolder(options.cwd ?? '.', mounts);
      const { most = {} } = options;
      const readOnly =
        options.readOnly === undefined
          ? null
          : await shownReadOnly(options.readOnly, mounts, (path) => requireFolder(path, mounts));
      const env =
        options.onlyEnv === true
          ? { ...startEnv(places), ...options.env }
          : boxEnv(spec, places, options.env);
      const command = { argv, cwd, env, readOnly, most };
      return await opened.run(command, options, AbortSignal.any([whole, signal]));
    },
  };
}

/** Every call of a box that was given back fails, so that nobody works in a folder that is no more. */
function revocable(box: Box): { readonly lent: Box; revoke(): void } {
  let isOpen = true;
  const open = (): Box => {
    if (isOpen) return box;
    const message = 'Box used after its end. Await every call before the work returns.';
    throw new Fault(message, { code: 'sandbox-lost' });
  };
  const lent: Box = {
    ...box,
    exec: async (...call) => await open().exec(...call),
    read: async (...call) => await open().read(...call),
    write: async (...call) => await open().write(...call),
    tree: async () => await open().tree(),
  };
  return {
    lent,
    revoke: () => {
      isOpen = false;
    },
  };
}

/** Work, then the end on every path; where both fail, the work's own error is the one that says why. */
async function thenAlways<T>(work: () => Promise<T>, end: () => Promise<void>): Promise<T> {
  const [done] = await Promise.allSettled([Promise.resolve().then(work)]);
  const [ended] = await Promise.allSettled([end()]);
  if (done.status === 'rejected') throw done.reason;
  if (ended.status === 'rejected') throw ended.reason;
  return done.value;
}

/** Open a fresh box, lend it, and remove it on every path out. */
export async function lendBox<T>(
  backend: Backend,
  run: string,
  request: Omit<Opening, 'folder'>,
  signal: AbortSignal,
  work: (box: Box, opened: Opened) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw cancelled(signal);
  const opening = { ...request, folder: await makeBoxFolder(run) };
  const lend = async () => {
    const opened = await backend.open(opening, signal);
    const { lent, revoke } = revocable(boxOf(opened, opening, signal));
    const end = async () => {
      revoke();
      await opened.close();
    };
    return await thenAlways(() => work(lent, opened), end);
  };
  return await thenAlways(lend, () => removeFolder(opening.folder.root));
}
