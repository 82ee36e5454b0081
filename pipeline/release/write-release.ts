import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import type { ExportFile } from '../../stages/exporters/exporter.ts';
import { touching } from '../ledger/world-fault.ts';
import { pathProblem, SUMS, sumsText } from './sums.ts';

export type Release = { readonly folder: string; readonly files: readonly ExportFile[] };

/** Written paths in a mapping, so that two files of one path are seen before either is on disk. */
function checked(files: readonly ExportFile[]): readonly ExportFile[] {
  const seen = new Set<string>();
  for (const { path } of files) {
    const problem = pathProblem(path) ?? (seen.has(path) ? 'occurs twice' : null);
    if (problem) throw new Error(`release path ${JSON.stringify(path)} ${problem}`);
    seen.add(path);
  }
  return files;
}

function put(folder: string, { path, bytes, exec = false }: ExportFile): void {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, bytes);
  // The mode of a new file depends on the user's umask; a release does not.
  chmodSync(target, exec ? 0o755 : 0o644);
}

/** Rename over a folder that is there: it steps aside first and goes last, so one whole release always stands. */
function swap(fresh: string, folder: string): void {
  const old = `${folder}.old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(fresh, folder);
  rmSync(old, { recursive: true, force: true });
}

/**
 * Write a release whole or not at all, with its `SHA256SUMS`, in place of what stood there. The result is the digest of
 * `SHA256SUMS`, which names every byte. Throws a Fault (`disk-full`, `out-not-writable`) where the disk refuses.
 */
export function writeRelease({ folder, files }: Release): string {
  const sums = new TextEncoder().encode(sumsText(checked(files)));
  const fresh = `${folder}.new`;
  return touching(`writing ${folder}`, () => {
    rmSync(fresh, { recursive: true, force: true });
    mkdirSync(fresh, { recursive: true });
    try {
      for (const file of files) put(fresh, file);
      put(fresh, { path: SUMS, bytes: sums });
      swap(fresh, folder);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    return sha256(sums);
  });
}
