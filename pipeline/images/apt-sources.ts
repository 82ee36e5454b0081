import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../../stages/fault.ts';

const FOLDER = '/etc/apt/sources.list.d';

/** Whether a list of package sources offers the main part of a release, in either of apt's two spellings. */
const offers = (text: string, release: string): boolean => {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n');
  return new RegExp(`\\b${release}\\b`).test(lines) && /\bmain\b/.test(lines);
};

/** This system's release, as /etc/os-release names it. */
export async function hostRelease(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8');
  const release = /^VERSION_CODENAME="?([a-z]+)/m.exec(text)?.[1];
  if (release !== undefined) return release;
  const message =
    'Base image failed: /etc/os-release names no release. Build it on a Debian-like system.';
  throw new Fault(message, { code: 'environment-failed' });
}

/** The host's own files of package sources that serve a release, so that its mirror is used and no other. */
export async function aptSources(release: string): Promise<string[]> {
  const names = (await readdir(FOLDER)).filter((name) => /\.(list|sources)$/.test(name));
  const files = [...names.toSorted().map((name) => join(FOLDER, name)), '/etc/apt/sources.list'];
  const serving: string[] = [];
  for (const file of files) {
    if (file === '/etc/apt/sources.list' && !(await readdir('/etc/apt')).includes('sources.list'))
      continue;
    if (offers(await readFile(file, 'utf8'), release)) serving.push(file);
  }
  if (serving.length > 0) return serving;
  const message = `Base image failed: no source of packages for ${release} in /etc/apt. Add one and try again.`;
  throw new Fault(message, { code: 'environment-failed' });
}

const PASSED_ON = /^Acquire::(http|https|Check-Valid-Until|Check-Date|Retries)\b/;

/** The host's own settings for reaching its mirror: proxies, and what it says about dates. */
export async function aptOptions(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('apt-config', ['dump']);
  const lines = stdout.split('\n').filter((line) => PASSED_ON.test(line));
  return lines.filter((line) => !line.endsWith(' "";'));
}
