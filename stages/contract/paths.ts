import { byPathBytes } from './manifest.ts';

const encoder = new TextEncoder();
const maxComponent = 255;
const maxPath = 4096;

/** A path as it is compared where case and composition must not matter. */
export const foldPath = (path: string): string =>
  /^[\x20-\x7e]*$/.test(path)
    ? path.toLowerCase()
    : path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

/** Code points that file systems or people overlook. */
const ignorable = /\p{Default_Ignorable_Code_Point}|\p{Cf}/gu;

function isGitName(component: string): boolean {
  const bare = foldPath(component.replace(ignorable, ''))
    .replace(/:.*$/su, '')
    .replace(/[. ]+$/u, '');
  return bare === '.git' || /^git~\d+$/u.test(bare);
}

/** A unit of UTF-16 is at most three bytes of UTF-8, so most texts need no encoding to be short enough. */
const isLonger = (text: string, bytes: number) =>
  text.length * 3 > bytes && encoder.encode(text).length > bytes;

const isBadComponent = (part: string) =>
  part === '' || part === '.' || part === '..' || isLonger(part, maxComponent);

/**
 * What is wrong with a path by the hard rules, or null. They hold for every path of every tree:
 * a path that breaks one cannot be written safely, so no candidate exists.
 */
export function hardPathProblem(path: string): 'tree.path' | 'tree.git-path' | null {
  if (/[\p{Cc}\\]|\p{Cs}/u.test(path) || isLonger(path, maxPath)) return 'tree.path';
  const parts = path.split('/');
  if (parts.some(isBadComponent)) return 'tree.path';
  return parts.some(isGitName) ? 'tree.git-path' : null;
}

const deviceName = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/iu;
const isUnportable = (part: string) => deviceName.test(part) || /[. ]$/u.test(part);

/** Whether a path that the base does not have can live on every file system. */
export function isPortable(path: string): boolean {
  return path === path.normalize('NFC') && !path.split('/').some(isUnportable);
}

/** The folders above a path, outermost first. */
export function ancestorsOf(path: string): string[] {
  const above: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1))
    above.push(path.slice(0, at));
  return above;
}

/**
 * New paths that meet another path once case and composition are ignored, folders included, sorted.
 * Pairs within the base are the base's own business.
 */
export function collidingPaths(base: readonly string[], added: readonly string[]): string[] {
  if (added.length === 0) return [];
  const spelled = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const note = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    const key = foldPath(name);
    spelled.set(key, (spelled.get(key) ?? new Set()).add(name));
  };
  for (const path of [...base, ...added])
    for (const name of [...ancestorsOf(path), path]) note(name);
  const meets = (name: string) => (spelled.get(foldPath(name))?.size ?? 0) > 1;
  const fresh = added.filter((path) => [...ancestorsOf(path), path].some(meets));
  return fresh.toSorted(byPathBytes);
}
