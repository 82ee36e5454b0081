// Programs that a reporter starts and listens to. Nothing of the tree is loaded in the reporter's own process.
import { spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A reporter's words: REPORT [ARGUMENT...] -- FILE... */
export function readWords() {
  const [report, ...rest] = process.argv.slice(2);
  const split = rest.indexOf('--');
  return { report, extra: rest.slice(0, split), files: rest.slice(split + 1) };
}

/**
 * Run a program and hand every line of its standard output to `onLine`; standard error is passed on, its last lines returned.
 * A program that cannot be started ends with the code 127.
 */
export async function listen(argv, { onLine, cwd, env }) {
  const [program, ...rest] = argv;
  const child = spawn(program, rest, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => {
    child.on('error', ({ message }) => resolve({ code: 127, message }));
    child.on('close', (code, signal) => resolve({ code, message: signal }));
  });
  const last = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    process.stderr.write(`${line}\n`);
    last.push(line);
    if (last.length > 40) last.shift();
  });
  createInterface({ input: child.stdout }).on('line', onLine);
  return { ...(await ended), last };
}

/** All of a program's standard output, for short answers. */
export async function ask(argv, options = {}) {
  const lines = [];
  const ended = await listen(argv, { ...options, onLine: (line) => lines.push(line) });
  return { ...ended, lines };
}

/** A writable copy of what the kept dependencies hold, since those are read-only; the path of the copy. */
export function workingCopy(folder, name) {
  const copy = join(process.env.TMPDIR ?? '/tmp', name);
  if (folder !== undefined && existsSync(folder))
    cpSync(folder, copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return copy;
}

/** A line as JSON, or null. */
export function jsonOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const ORDER = ['failed', 'error', 'unexpected-pass', 'flaky', 'expected-failure', 'skipped'];

/** The worst of some statuses; an error where there is none. */
export const worstOf = (statuses) =>
  ORDER.find((status) => statuses.includes(status)) ??
  (statuses.includes('passed') ? 'passed' : 'error');
