import { createHash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { Fault } from '../../stages/fault.ts';

const CHUNK_BYTES = 1024 * 1024;
/** One for all files: a fresh one each costs more than the hashing of a small file. No call here waits, so none can meet another. */
const chunk = Buffer.allocUnsafe(CHUNK_BYTES);

/** The fault of a file that did not hold still. */
export const changed = (host: string): Fault =>
  new Fault(`tree failed: "${host}" changed while it was read. Let nothing write there.`, {
    code: 'source-unreadable',
  });

/** No link is followed and no fifo waited for, whatever was put in a file's place since it was listed. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function opened(host: string): number {
  try {
    return openSync(host, FLAGS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP' || code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENXIO')
      throw changed(host);
    throw error;
  }
}

/**
 * Look at a regular file through an open handle, so that nothing can be put in its place between the look and the reading. Throws a Fault where the file changed; the system's error where it cannot be opened.
 */
export function withFile<T>(host: string, work: (file: number, stats: Stats) => T): T {
  const file = opened(host);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw changed(host);
    return work(file, stats);
  } finally {
    closeSync(file);
  }
}

/** SHA-256 of an open file of a known size, in hex. Throws a Fault where there are more or fewer bytes. */
export function hashOpen(file: number, size: number, host: string): string {
  if (size < CHUNK_BYTES) {
    if (readSync(file, chunk, 0, size + 1, null) !== size) throw changed(host);
    return hash('sha256', chunk.subarray(0, size), 'hex');
  }
  const long = createHash('sha256');
  let total = 0;
  for (let got = readSync(file, chunk); got > 0; got = readSync(file, chunk)) {
    long.update(chunk.subarray(0, got));
    total += got;
    if (total > size) throw changed(host);
  }
  if (total !== size) throw changed(host);
  return long.digest('hex');
}
