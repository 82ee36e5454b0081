import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import type { ExportFile } from '../../stages/exporters/exporter.ts';
import { parseSums, SUMS } from './sums.ts';

/** How the files of a fresh export differ from a release on disk, by its own list of sums; one line each. */
export function compareRelease(folder: string, files: readonly ExportFile[]): readonly string[] {
  const list = join(folder, SUMS);
  const sums = existsSync(list) ? parseSums(readFileSync(list, 'utf8')) : null;
  if (sums === null) return [`release: ${SUMS} is missing or unreadable`];
  const fresh = new Map(files.map(({ path, bytes }) => [path, sha256(bytes)]));
  const changed = [...fresh].flatMap(([path, sum]) => {
    const before = sums.get(path);
    if (before === undefined) return [`release/${path}: exported now, not in the release`];
    return before === sum ? [] : [`release/${path}: exported with other bytes`];
  });
  const gone = [...sums.keys()].filter((path) => !fresh.has(path));
  return [...changed, ...gone.map((path) => `release/${path}: in the release, not exported now`)];
}
