import { existsSync } from 'node:fs';
import { installEnv } from './pins.ts';

/** Host files and folders that the settings of package managers name: certificates, wheels, further settings. */
export function namedPaths(host: Readonly<Record<string, string>>): string[] {
  const words = Object.values(installEnv(host)).flatMap((value) => value.split(/[\s:]+/));
  const paths = words.filter((word) => /^\/[^/]/.test(word) && existsSync(word));
  return [...new Set(paths)].toSorted();
}

/** Host files that an install step needs, to resolve names and to know its registries. */
export const networkFiles = (): string[] =>
  ['/etc/resolv.conf', '/etc/pip.conf', '/etc/npmrc', '/etc/uv'].filter((path) => existsSync(path));
