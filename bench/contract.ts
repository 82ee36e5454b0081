import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStore } from '../pipeline/contracts/blob-store.ts';
import { openParse } from '../pipeline/parsing/tree-sitter.ts';
import { readDirectory } from '../pipeline/trees/read-directory.ts';
import { Contract } from '../schemas/contract.ts';
import { checkConforms } from '../stages/contract/conforms.ts';
import { makeCandidate } from '../stages/solve/candidate.ts';

const FILES = 10_000;
const FILE_BYTES = 4096;
const SMALL_FILES = 500;
const CANDIDATES = 1000;

/** A folder of many small files; none is equal to another. */
function writeTree(root: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const path = join(root, `d${at % 100}`, `f${at}.ts`);
    mkdirSync(join(path, '..'), { recursive: true });
    const line = `export const value${at} = ${at};\n`;
    const head = `// file ${at}\n`;
    writeFileSync(
      path,
      (head + line.repeat(Math.ceil(FILE_BYTES / line.length)))
        .slice(0, FILE_BYTES - 1)
        .concat('\n'),
    );
    return path;
  });
}

const seconds = (work: () => void) => {
  const started = performance.now();
  work();
  return (performance.now() - started) / 1000;
};

const contractFor = (base: string, file: string) =>
  Contract.parse({
    contract: 1,
    id: 'bench',
    base: { manifest: `sha256:${base}` },
    editable: [{ file, whole_file: true }],
    forbidden: { packs: ['ts/exit'] },
    interface: 'edits',
  });

/** The whole check of a tree on disk against git's own hashing of the same files; start-up of both left out. */
async function wholeTree(root: string, files: readonly string[]) {
  const parse = await openParse();
  const hash = () =>
    execFileSync('git', ['hash-object', '--no-filters', '--stdin-paths'], {
      input: files.join('\n'),
      maxBuffer: 64 * 1024 * 1024,
    });
  hash();
  const git = seconds(hash);
  const started = performance.now();
  const found = await readDirectory(root);
  if ('problems' in found) throw new Error('the bench tree is none');
  const blobs = blobStore();
  const tree = blobs.tree(found);
  const contract = contractFor(tree, 'd0/f0.ts');
  const report = checkConforms({ contract, base: tree, candidate: tree, read: blobs.get, parse });
  const ours = (performance.now() - started) / 1000;
  const memory = process.memoryUsage().rss / 1024 / 1024;
  return {
    files: files.length,
    git_s: git,
    check_s: ours,
    ratio: ours / git,
    rss_mb: memory,
    conforms: report.conforms,
  };
}

/** Many candidates of one base, each with one file changed; what the base holds is known by its digests and not read again. */
async function manyCandidates(root: string) {
  const parse = await openParse();
  const found = await readDirectory(root);
  if ('problems' in found) throw new Error('the bench tree is none');
  const blobs = blobStore();
  const base = blobs.tree(found);
  const contract = contractFor(base, 'd0/f0.ts');
  let conforming = 0;
  const spent = seconds(() => {
    for (let at = 0; at < CANDIDATES; at++) {
      const text = `export const changed = ${at};\n`;
      const value = {
        edits: [{ file: 'd0/f0.ts', find: '// file 0\n', replace: text }],
        create: [],
        delete: [],
      };
      const made = makeCandidate({ contract, base }, { kind: 'edits', value }, blobs);
      if (!made.ok) throw new Error(made.detail);
      const report = checkConforms({
        contract,
        base,
        candidate: made.tree,
        read: blobs.get,
        parse,
      });
      if (report.conforms) conforming += 1;
    }
  });
  return { candidates: CANDIDATES, conforming, per_second: CANDIDATES / spent };
}

const goals = { ratio: 1.5, rss_mb: 200, per_second: 200 };

/** `npm run bench -- contract`: prints what was measured beside the goals; ends with 1 where one is missed. */
export async function contractBench() {
  const root = mkdtempSync(join(tmpdir(), 'csw-bench-'));
  try {
    const large = await wholeTree(join(root, 'large'), writeTree(join(root, 'large'), FILES));
    writeTree(join(root, 'small'), SMALL_FILES);
    const many = await manyCandidates(join(root, 'small'));
    const isMet =
      large.ratio <= goals.ratio &&
      large.rss_mb <= goals.rss_mb &&
      many.per_second >= goals.per_second;
    return { tree: large, candidates: many, goals, met: isMet };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
