import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { ModelConfig, RunConfig } from '../schemas/run-config.ts';
import type { Diagnosis } from './sandboxes/diagnose.ts';

/** One thing that `doctor` looked at. `fail` keeps a run from working, `warn` may; both say what to do. */
export type Check = {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly remedy: string | null;
};

const ok = (name: string, found: string): Check => ({ name, state: 'ok', found, remedy: null });
const fail = (name: string, found: string, remedy: string): Check => ({
  name,
  state: 'fail',
  found,
  remedy,
});

const LEAST_NODE = [22, 18] as const;
const LEAST_DISK_GIB = 2;
const GIB = 1024 ** 3;

/** The Node that runs us. An older one can read neither our source nor this check, but `npx pipeline` finds its own. */
export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const isNew = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return isNew
    ? ok('node', version)
    : fail('node', version, `Start with "npx pipeline", or install Node ${LEAST_NODE.join('.')}.`);
}

/** Git as it is on the path. */
export async function checkGit(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version']);
    return ok('git', stdout.trim());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return fail('git', error.message, 'Install git.');
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/** Whether runs can be written below a folder, which need not exist yet. */
export function checkOut(out: string): Check {
  const folder = nearestFolder(out);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return ok('out', `${out} is writable`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return fail(
      'out',
      error.message,
      `Give write permission to ${folder}, or name another with --out.`,
    );
  }
}

/** Free space where runs are written. */
export function checkDisk(out: string, free: (folder: string) => number = freeBytes): Check {
  const gib = free(nearestFolder(out)) / GIB;
  const found = `${gib.toFixed(1)} GiB free for ${out}`;
  if (gib >= LEAST_DISK_GIB) return ok('disk', found);
  return fail(
    'disk',
    found,
    `Free at least ${LEAST_DISK_GIB} GiB, or name another disk with --out.`,
  );
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** What a model needs before its first call: its key, or the folder of its recordings. */
export function checkModel(model: ModelConfig, variable: (name: string) => string | null): Check {
  const name = `model ${model.name}`;
  if (model.provider === 'mailbox') return ok(name, `mailbox in ${model.dir}`);
  if (model.provider === 'recorded') {
    return existsSync(model.pack)
      ? ok(name, `recordings in ${model.pack}`)
      : fail(name, `no folder ${model.pack}`, 'Correct "pack" in the run file.');
  }
  const { model: wanted, base_url, api_key_env: key, price } = model;
  const found = `${wanted} at ${base_url}`;
  if (key !== null && variable(key) === null) {
    return fail(name, `${found}, but ${key} is not set`, `Set ${key} in the environment.`);
  }
  return price === null
    ? {
        name,
        state: 'warn',
        found: `${found}, price unknown`,
        remedy: 'State "price" in the run file to have costs.',
      }
    : ok(name, found);
}

/** What was seen of the sandboxes, judged by the one that the run wants. */
export function checkSandboxes(seen: readonly Diagnosis[], wanted: RunConfig['sandbox']): Check[] {
  const needed = wanted === 'auto' ? neededByAuto(seen) : [wanted];
  return seen.map(({ name, ok: isOk, detail, remedy }) => ({
    name,
    state: isOk ? 'ok' : needed.some((kind) => name.startsWith(kind)) ? 'fail' : 'warn',
    found: detail,
    remedy,
  }));
}

/** `auto` takes docker where its daemon answers, with an image or without, else bwrap. */
function neededByAuto(seen: readonly Diagnosis[]): string[] {
  const works = (wanted: string) => seen.some(({ name, ok: isOk }) => name === wanted && isOk);
  if (works('docker daemon')) return ['docker'];
  return works('bwrap') ? [] : ['docker', 'bwrap'];
}
