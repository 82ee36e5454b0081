import { existsSync } from 'node:fs';
import type { Command } from '../host/backend.ts';
import { BOX_LIMITS } from '../host/limits.ts';

const PRLIMIT = '/usr/bin/prlimit';
const hasPrlimit = existsSync(PRLIMIT);
const { fileBytes, processes } = BOX_LIMITS;

/** Joins the control groups, then becomes the next program; a group that cannot be joined starts nothing. */
const JOIN = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"';

function limitsOutside(groups: readonly string[]): string[] {
  const join = groups.length === 0 ? [] : ['/bin/sh', '-c', JOIN, 'sh', ...groups, '--'];
  const caps = hasPrlimit ? [PRLIMIT, '--core=0', `--fsize=${fileBytes}`] : [];
  return [...join, ...caps];
}

/**
 * Counted in the box's own namespace, so not set outside, where all of the user's processes count.
 * The kernel never holds root to it; root has control groups.
 */
function limitsInside(groups: readonly string[]): string[] {
  return groups.length === 0 && hasPrlimit ? [PRLIMIT, `--nproc=${processes}`] : [];
}

/** The whole line for one command; `sh` stands before it, so that a program that is not there is 127 and no error of bwrap. */
export function commandLine(
  program: string,
  { argv, cwd, env }: Command,
  box: readonly string[],
  groups: readonly string[],
): string[] {
  const set = Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]);
  const control = ['--json-status-fd', '3'];
  const shell = ['/bin/sh', '-c', 'exec "$@"', 'sh', ...argv];
  const inside = [...limitsInside(groups), ...shell];
  return [
    ...limitsOutside(groups),
    program,
    ...control,
    ...box,
    ...set,
    '--chdir',
    cwd,
    '--',
    ...inside,
  ];
}
