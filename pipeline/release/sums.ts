import { sha256 } from '../../stages/contract/canonical-json.ts';
import { byPathBytes } from '../../stages/contract/manifest.ts';

/** The name of the list itself, which it does not name. */
export const SUMS = 'SHA256SUMS';

/** Why a path cannot stand in a release, or null. `sha256sum` would escape a backslash or a line break. */
export function pathProblem(path: string): string | null {
  if (/[\p{Cc}\\]/u.test(path)) return 'holds a control character or a backslash';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'is not a plain path';
  return path === SUMS ? 'is the name of the list of sums' : null;
}

/** `hex, two blanks, path` a line, by path bytes: what `sha256sum -c` reads. */
export function sumsText(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
): string {
  return files
    .toSorted((left, right) => byPathBytes(left.path, right.path))
    .map(({ path, bytes }) => `${sha256(bytes)}  ${path}\n`)
    .join('');
}

/** The sums by path, or null where a line is not one of ours. */
export function parseSums(text: string): Map<string, string> | null {
  const sums = new Map<string, string>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sum, path] = /^([0-9a-f]{64}) {2}(.+)$/u.exec(line) ?? [];
    if (sum === undefined || path === undefined || sums.has(path)) return null;
    sums.set(path, sum);
  }
  return text.endsWith('\n') && sums.size > 0 ? sums : null;
}
