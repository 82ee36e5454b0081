import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { byPathBytes } from '../../stages/contract/manifest.ts';
import { Fault } from '../../stages/fault.ts';
import { LOCK_FILE } from './writer-lock.ts';

/** Name of the seal inside a run folder. */
const SEAL_FILE = 'SHA256SUMS';

const PIECE = 1 << 20;

function digestOfFile(path: string): string {
  const hash = createHash('sha256');
  if (lstatSync(path).isSymbolicLink()) return hash.update(readlinkSync(path)).digest('hex');
  const piece = new Uint8Array(PIECE);
  const file = openSync(path, 'r');
  try {
    for (let size = readSync(file, piece); size > 0; size = readSync(file, piece)) {
      hash.update(piece.subarray(0, size));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/** SQLite's side files come and go with readers; an empty log holds nothing and the index is never data. */
function isPassing(folder: string, path: string): boolean {
  if (path === SEAL_FILE || path === LOCK_FILE || path.startsWith(`${LOCK_FILE}.`)) return true;
  if (path === 'ledger.sqlite-shm') return true;
  return path === 'ledger.sqlite-wal' && lstatSync(join(folder, path)).size === 0;
}

function filesOf(folder: string): string[] {
  const below = (prefix: string): string[] =>
    readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      return entry.isDirectory() ? below(path) : [path];
    });
  return below('')
    .filter((path) => !isPassing(folder, path))
    .sort(byPathBytes);
}

const lines = (sums: ReadonlyMap<string, string>) =>
  [...sums].map(([path, digest]) => `${digest}  ${path}\n`).join('');

/** A blob is sealed under its name, so that a harmed one can never be blessed by a later seal. */
const blobName = (path: string) => {
  const [, head, tail] = /^blobs\/([0-9a-f]{2})\/([0-9a-f]{62})$/.exec(path) ?? [];
  return head === undefined || tail === undefined ? null : head + tail;
};

/** Write `SHA256SUMS` over every file of a run folder: `hex, two blanks, path`, sorted by path bytes. */
export function writeSeal(folder: string): void {
  const sums = new Map(
    filesOf(folder).map((path) => [path, blobName(path) ?? digestOfFile(join(folder, path))]),
  );
  const draft = join(folder, `${LOCK_FILE}.seal`);
  writeFileSync(draft, lines(sums));
  renameSync(draft, join(folder, SEAL_FILE));
}

/** A run that is being written has no seal. */
export function breakSeal(folder: string): void {
  rmSync(join(folder, SEAL_FILE), { force: true });
}

/** Whether a run was closed in order. */
export const isSealed = (folder: string): boolean => existsSync(join(folder, SEAL_FILE));

function parsedSums(text: string): Map<string, string> {
  const sums = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, digest, path] = /^([0-9a-f]{64}) {2}(.+)$/s.exec(line) ?? [];
    if (digest !== undefined && path !== undefined) sums.set(path, digest);
  }
  return sums;
}

/**
 * Paths of a run folder that are missing, added or other than sealed, sorted; empty when every byte is as it was.
 * A seal that is harmed itself is named too. Throws `ledger-unsealed` for a run that was not closed in order.
 */
export function verifySeal(folder: string): string[] {
  if (!isSealed(folder)) {
    throw new Fault(
      `Verifying ${folder} failed: the run was not closed, so it has no ${SEAL_FILE}. Run the same command again to finish it, or see "pipeline status".`,
      { code: 'ledger-unsealed' },
    );
  }
  const text = readFileSync(join(folder, SEAL_FILE), 'latin1');
  const sealed = parsedSums(Buffer.from(text, 'latin1').toString('utf8'));
  const found = new Map(filesOf(folder).map((path) => [path, digestOfFile(join(folder, path))]));
  const paths = new Set([...sealed.keys(), ...found.keys()]);
  const isSound = Buffer.from(lines(sealed), 'utf8').toString('latin1') === text;
  // A blob that bears out its own name is whole: what was harmed is the line about it.
  const blamed = (path: string) =>
    sealed.has(path) && found.get(path) === blobName(path) ? SEAL_FILE : path;
  const differing = [...paths].filter((path) => sealed.get(path) !== found.get(path)).map(blamed);
  const wrong = new Set(isSound ? differing : [...differing, SEAL_FILE]);
  return [...wrong].sort(byPathBytes);
}
