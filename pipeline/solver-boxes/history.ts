import type { Box, Exit } from '../../stages/context.ts';
import { Fault } from '../../stages/fault.ts';

const quiet = {
  timeoutMs: 120_000,
  maxOutputBytes: 256 * 1024,
  // Neither people's nor the image's own settings reach the repository.
  env: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
};

/** The same bytes make the same commit, and its date tells nothing of the base's own. */
const MAKE = `set -e
export GIT_AUTHOR_DATE='2000-01-01T00:00:00Z' GIT_COMMITTER_DATE='2000-01-01T00:00:00Z'
git init -q --template= --initial-branch=main .
git -c core.safecrlf=false add -A -f .
git -c user.name=solver -c user.email=solver@invalid -c core.logAllRefUpdates=false -c gc.auto=0 \\
  commit -q --allow-empty --no-verify -m base
rm -f .git/COMMIT_EDITMSG`;

/** One fact a line: what there is in all, what the one commit reaches, and everything else that could lead to more. */
const LOOK = `set -e
echo "objects $(git cat-file --batch-all-objects --batch-check='%(objectname)' | wc -l)"
echo "loose $(find .git/objects -type f -path '.git/objects/[0-9a-f][0-9a-f]/*' | wc -l)"
echo "reachable $(git rev-list --objects --no-object-names HEAD | sort -u | wc -l)"
echo "commits $(git rev-list --all --reflog HEAD | wc -l)"
echo "parents $(( $(git rev-list --parents -n 1 HEAD | wc -w) - 1 ))"
echo "refs $(git for-each-ref | wc -l)"
git config --local --name-only --list | while read -r name; do echo "config $name"; done
find .git ! -type d ! -path '.git/objects/[0-9a-f][0-9a-f]/*' -printf 'file %P\\n'`;

const isOurs = {
  config: /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase)$/u,
  file: /^(HEAD|config|index|refs\/heads\/main)$/u,
};

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');

function broken(what: string): Fault {
  return new Fault(`Solver's box failed: ${what}. Run "pipeline doctor".`, {
    code: 'sandbox-failed',
  });
}

async function ask(box: Box, script: string, signal: AbortSignal): Promise<string> {
  const exit: Exit = await box.exec(['/bin/sh', '-c', script], quiet, signal);
  const said = textOf(exit.stdout);
  if (exit.code === 0) return said;
  throw broken(`git said "${textOf(exit.stderr).trim().slice(0, 300)}"`);
}

/** What is in a repository beside one commit without parents, as a reader would say it; null where there is nothing. */
export function foreignPart(facts: string): string | null {
  const lines = facts.split('\n').filter((line) => line !== '');
  const pairs = lines.map((line) => [line.split(' ')[0] ?? '', line.slice(line.indexOf(' ') + 1)]);
  const of = (name: string) => Number(pairs.find(([key]) => key === name)?.[1] ?? Number.NaN);
  if (of('commits') !== 1 || of('parents') !== 0 || of('refs') !== 1)
    return `${of('commits')} commits with ${of('parents')} parents under ${of('refs')} refs`;
  if (of('objects') !== of('reachable') || of('loose') !== of('reachable'))
    return `${of('objects')} objects, ${of('loose')} of them loose, where the commit reaches ${of('reachable')}`;
  const stray = pairs.find(
    ([key, value = '']) => (key === 'config' || key === 'file') && !isOurs[key].test(value),
  );
  return stray === undefined ? null : `${stray[0]} ${stray[1]}`;
}

/**
 * A repository of one commit over what lies in the work folder, proven to hold nothing else: every object is counted and reached by
 * that commit; no other ref, reflog, tag, remote, alternate or pack. `absent` are object names, such as the gold commit's, that it
 * is asked for. Throws a Fault `sandbox-failed` where anything else is there.
 */
export async function freshHistory(
  box: Box,
  absent: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  await ask(box, MAKE, signal);
  await proveFresh(box, absent, signal);
}

/** The proof alone, over a repository that is there. */
export async function proveFresh(
  box: Box,
  absent: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const foreign = foreignPart(await ask(box, LOOK, signal));
  if (foreign !== null) throw broken(`its history holds more than the base: ${foreign}`);
  for (const name of absent) {
    const exit = await box.exec(['git', 'cat-file', '-e', name], quiet, signal);
    if (exit.code === 0) throw broken(`its history holds ${name}`);
  }
}
