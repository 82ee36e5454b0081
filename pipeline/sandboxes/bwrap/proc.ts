import { existsSync } from 'node:fs';

/**
 * Settings of the whole machine's kernel. A user namespace in which we are root is still the machine's root to their
 * permission bits, and bwrap itself leaves /proc/sys open to it: one write to core_pattern would run a program on the host.
 */
const SETTINGS = ['sys', 'fs', 'acpi', 'scsi', 'asound', 'sysrq-trigger', 'mtrr', 'latency_stats'];

/** What tells of the machine's memory, keys and other users. */
const SECRETS = ['kcore', 'keys', 'timer_list', 'sched_debug', 'kmsg'];

const there = (names: readonly string[]) =>
  names.map((name) => `/proc/${name}`).filter((path) => existsSync(path));

/** A /proc of the box's own processes, in which nothing of the machine can be changed. */
export const procArguments = (): string[] => [
  ...['--proc', '/proc'],
  ...there(SETTINGS).flatMap((path) => ['--ro-bind', path, path]),
  ...there(SECRETS).flatMap((path) => ['--ro-bind', '/dev/null', path]),
];
