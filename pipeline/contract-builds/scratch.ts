import type { PinnedBuild } from '../../schemas/contract.ts';
import type { Box } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';

const LIMIT_MS = 60_000;

/**
 * Empties folders and keeps them, since a mount of an earlier command may hold on to them; what stands in the place of one is
 * replaced. Arguments: the private folder, then the writable folders.
 */
const FRESH = `
empty() {
  chmod -R u+rwX -- "$1" 2>/dev/null
  for f in "$1"/* "$1"/.[!.]* "$1"/..?*; do
    if [ -e "$f" ] || [ -L "$f" ]; then rm -rf -- "$f" || return 1; fi
  done
}
empty "\${1:?}" && empty "\${TMPDIR:?}" && mkdir -p -- "\${HOME:?}" || exit 1
shift
for d in "$@"; do
  if [ -L "$d" ] || [ ! -d "$d" ]; then rm -rf -- "$d" && mkdir -p -- "$d" || exit 1
  else empty "$d" || exit 1; fi
done
`;

/**
 * Before a command: empty folders to write to, and nothing of earlier commands in its home, its temporary or its private folder,
 * from where programs load settings unasked. A shared folder keeps what earlier commands left. False where an earlier command
 * left something that cannot be removed.
 */
export async function freshScratch(
  box: Box,
  { writable }: PinnedBuild,
  isFirst: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  const fresh = writable.filter(({ shared }) => isFirst || !shared).map(({ path }) => `./${path}`);
  if (isFirst && fresh.length === 0) return true;
  const argv = ['/bin/sh', '-c', FRESH, 'sh', box.outside, ...fresh];
  return (await box.exec(argv, { timeoutMs: LIMIT_MS }, signal)).code === 0;
}

/** Says the first program that is not there. */
const LOOK = 'for t in "$@"; do command -v -- "$t" >/dev/null 2>&1 || { echo "$t"; exit 1; }; done';

/**
 * A program of the box that is not there is the world's lack and no candidate's. Programs that are named by a path below the work
 * folder are the tree's own.
 */
export async function requirePrograms(
  box: Box,
  { commands, env }: PinnedBuild,
  signal: AbortSignal,
): Promise<void> {
  const programs = new Set(commands.map(({ argv }) => argv[0] ?? ''));
  const ours = [...programs].filter((name) => !name.includes('/') || name.startsWith('/'));
  if (ours.length === 0) return;
  const argv = ['/bin/sh', '-c', LOOK, 'sh', ...ours];
  const { code, stdout } = await box.exec(
    argv,
    { timeoutMs: LIMIT_MS, onlyEnv: true, env },
    signal,
  );
  if (code === 0) return;
  const name = Buffer.from(stdout).toString('utf8').trim();
  throw new Fault(`Build failed: "${name}" is not in the sandbox. Install it, or name an image.`, {
    code: 'environment-failed',
  });
}
