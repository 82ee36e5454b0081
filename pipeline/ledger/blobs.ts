import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { Fault } from '../../stages/fault.ts';
import { touching } from './world-fault.ts';

/** How bytes reach an open file; a test hands in one that fails. */
export type WriteBytes = (file: number, bytes: Uint8Array) => void;

/** Files named by their SHA-256, in `blobs/ab/cdef…`. */
export type Blobs = {
  put(bytes: Uint8Array): string;
  get(digest: string): Uint8Array;
  has(digest: string): boolean;
};

/** Where a blob lies inside its run folder. */
export const blobPath = (digest: string): string =>
  join('blobs', digest.slice(0, 2), digest.slice(2));

/** Half-written blobs wait here under no final name; what a killed run left is swept at the next opening. */
const draftsOf = (folder: string) => join(folder, 'blobs', 'drafts');

/** Throw away what a killed writer had half written. */
export function sweepDrafts(folder: string): void {
  rmSync(draftsOf(folder), { recursive: true, force: true });
}

function writeDurably(path: string, bytes: Uint8Array, write: WriteBytes): void {
  const file = openSync(path, 'wx');
  try {
    write(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function bytesOf(path: string): Uint8Array | null {
  if (!existsSync(path)) return null;
  return new Uint8Array(readFileSync(path));
}

/** The blobs of one run folder. `put` throws `disk-full`, `get` throws `blob-missing` and `blob-damaged`. */
export function openBlobs(folder: string, write: WriteBytes = writeFileSync): Blobs {
  const known = new Set<string>();
  let drafts = 0;
  const store = (digest: string, bytes: Uint8Array) => {
    const path = join(folder, blobPath(digest));
    const present = bytesOf(path);
    if (present !== null && sha256(present) === digest) return;
    const draft = join(draftsOf(folder), `${digest}.${drafts++}`);
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(dirname(draft), { recursive: true });
    try {
      writeDurably(draft, bytes, write);
      renameSync(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
  };
  return {
    put(bytes) {
      const digest = sha256(bytes);
      if (known.has(digest)) return digest;
      touching(`Writing a blob of ${bytes.length} bytes in ${folder}`, () => store(digest, bytes));
      known.add(digest);
      return digest;
    },
    get(digest) {
      const bytes = bytesOf(join(folder, blobPath(digest)));
      if (bytes === null) throw broken(folder, digest, 'blob-missing');
      if (sha256(bytes) !== digest) throw broken(folder, digest, 'blob-damaged');
      return bytes;
    },
    has: (digest) => existsSync(join(folder, blobPath(digest))),
  };
}

function broken(folder: string, digest: string, code: 'blob-missing' | 'blob-damaged'): Fault {
  const what = code === 'blob-missing' ? 'is not there' : 'has other bytes than its name says';
  return new Fault(
    `Reading a blob failed: ${blobPath(digest)} ${what} in ${folder}. Run "pipeline verify" to see what else is harmed.`,
    { code },
  );
}
