import type { Reason } from '../../schemas/contract-report.ts';
import type { TreeEntry } from '../../schemas/tree.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import type { Fault } from '../../stages/fault.ts';
import type { ObjectReader } from '../repos/cat-file.ts';
import type { Git } from '../repos/git-process.ts';
import { byPath, sizeLimits } from './size-limits.ts';
import type { ReadOptions, TreeOnHand } from './tree-on-hand.ts';

/** A file or link of a git tree that was not read yet. */
export type BlobRow = {
  readonly path: string;
  readonly kind: 'file' | 'exec' | 'link';
  readonly oid: string;
};

/** As many questions go out at once as answers fit in here. */
const BATCH_BYTES = 8 * 1024 * 1024;

type Missing = (oid: string) => Fault;

/** Sizes of blobs by their names, of which no byte is read. */
async function sizesOf(git: Git, oids: readonly string[], missing: Missing) {
  const format = '%(objectname) %(objecttype) %(objectsize)';
  const questions = Buffer.from(oids.map((oid) => `${oid}\n`).join(''));
  const said = await git.read(['cat-file', `--batch-check=${format}`], questions);
  const lines = said.toString('latin1').split('\n');
  return oids.map((oid, at) => {
    const [name, type, size] = lines[at]?.split(' ') ?? [];
    if (name === oid && type === 'blob') return Number(size);
    throw missing(oid);
  });
}

function batchesOf(oids: readonly string[], sizes: ReadonlyMap<string, number>): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const oid of oids) {
    const size = sizes.get(oid) ?? 0;
    if (size > room || batches.length === 0) {
      batches.push([]);
      room = BATCH_BYTES;
    }
    batches.at(-1)?.push(oid);
    room -= size;
  }
  return batches;
}

/** The blobs of one repository; each is hashed once, since its name stands for the same bytes in every tree. */
export function gitBlobs(git: Git, objects: ObjectReader, missing: Missing) {
  const sizes = new Map<string, number>();
  const hashes = new Map<string, string>();
  const oids = new Map<string, string>();
  const hashed = async (oid: string) => {
    const name = sha256(await objects.blob(oid));
    hashes.set(oid, name);
    oids.set(name, oid);
  };
  return {
    /** The files that are more than fit; nothing is read of any. */
    async oversized(rows: readonly BlobRow[], options: ReadOptions): Promise<Reason[]> {
      const fresh = [...new Set(rows.map(({ oid }) => oid))].filter((oid) => !sizes.has(oid));
      const found = fresh.length === 0 ? [] : await sizesOf(git, fresh, missing);
      fresh.forEach((oid, at) => {
        sizes.set(oid, found[at] ?? 0);
      });
      const judge = sizeLimits(options, byPath(options.base));
      return rows.flatMap(({ path, oid }) => judge(path, sizes.get(oid) ?? 0) ?? []);
    },
    async entries(rows: readonly BlobRow[]): Promise<TreeEntry[]> {
      const fresh = [...new Set(rows.map(({ oid }) => oid))].filter((oid) => !hashes.has(oid));
      for (const batch of batchesOf(fresh, sizes)) await Promise.all(batch.map(hashed));
      return rows.map(({ path, kind, oid }) => {
        const [size, name] = [sizes.get(oid), hashes.get(oid)];
        if (size === undefined || name === undefined) throw missing(oid);
        return { path, kind, size, sha256: name };
      });
    },
    /** By a process that ends with it: the kernel asks for changed entries alone, and cannot wait. */
    read: ((name) => {
      const oid = oids.get(name);
      return oid === undefined ? undefined : git.readNow(['cat-file', 'blob', oid]);
    }) satisfies TreeOnHand['read'],
  };
}
