import { execFileSync, spawnSync } from 'node:child_process';
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
const TURNS = 5;
const MIB = 1024 * 1024;

type Parse = Awaited<ReturnType<typeof openParse>>;

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

/** One whole check of a tree on disk that nothing was changed in. */
async function checkOnce(root: string, parse: Parse): Promise<void> {
  const found = await readDirectory(root);
  if ('problems' in found) throw new Error('the bench tree is none');
  const blobs = blobStore();
  const tree = blobs.tree(found);
  const contract = contractFor(tree, 'd0/f0.ts');
  const report = checkConforms({ contract, base: tree, candidate: tree, read: blobs.get, parse });
  if (!report.conforms) throw new Error('the bench tree does not conform to itself');
}

/**
 * The whole check of a tree on disk against git's own hashing of the same files, turn by turn, so that both meet the same
 * load; the best turn of each, since load of others only adds. Start-up is left out: the first turn is not counted.
 */
async function wholeTree(root: string, files: readonly string[]) {
  const parse = await openParse();
  const input = files.join('\n');
  const args = ['hash-object', '--no-filters', '--stdin-paths'];
  const [git, ours]: [number[], number[]] = [[], []];
  for (let turn = 0; turn <= TURNS; turn++) {
    const hashed = seconds(() => execFileSync('git', args, { input, maxBuffer: 64 * MIB }));
    const started = performance.now();
    await checkOnce(root, parse);
    if (turn === 0) continue;
    git.push(hashed);
    ours.push((performance.now() - started) / 1000);
  }
  const [git_s, check_s] = [Math.min(...git), Math.min(...ours)];
  const peak_mb = peakOfCheck(root);
  return { files: files.length, turns: TURNS, git_s, check_s, ratio: check_s / git_s, peak_mb };
}

const TELL_PEAK = `data:text/javascript,process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))`;

/** Memory of `pipeline contract check` over two such trees, start-up included: a process of its own, as users run it. */
function peakOfCheck(root: string): number {
  const file = `${root}.yaml`;
  writeFileSync(file, JSON.stringify(contractFor('0'.repeat(64), 'd0/f0.ts')));
  const cli = join(import.meta.dirname, '../pipeline/cli.ts');
  const trees = ['--pin-base', '--base', root, '--candidate', root];
  const args = ['--import', TELL_PEAK, cli, 'contract', 'check', file, ...trees];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const [, kib] = /^peak (\d+)$/mu.exec(stderr) ?? [];
  if (status !== 0 || kib === undefined) throw new Error(`contract check failed: ${stderr}`);
  return Number(kib) / 1024;
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

const goals = { ratio: 1.5, peak_mb: 200, per_second: 200 };

type Measured = {
  readonly tree: Awaited<ReturnType<typeof wholeTree>>;
  readonly candidates: Awaited<ReturnType<typeof manyCandidates>>;
};

const told = ({ tree, candidates }: Measured) => [
  `tree of ${tree.files} files: check ${tree.check_s.toFixed(3)} s, git hash-object ${tree.git_s.toFixed(3)} s (best of ${tree.turns})`,
  `  ratio ${tree.ratio.toFixed(2)} (goal: at most ${goals.ratio})`,
  `  memory at most ${tree.peak_mb.toFixed(0)} MiB (goal: at most ${goals.peak_mb})`,
  `${candidates.candidates} candidates of a tree of ${SMALL_FILES} files, one changed: ${candidates.per_second.toFixed(0)} a second (goal: at least ${goals.per_second})`,
];

/** `npm run bench -- contract [--json]`: what was measured beside the goals, and whether all are met. Needs git and a disk, no network. */
export async function contractBench() {
  const root = mkdtempSync(join(tmpdir(), 'csw-bench-'));
  try {
    const large = await wholeTree(join(root, 'large'), writeTree(join(root, 'large'), FILES));
    writeTree(join(root, 'small'), SMALL_FILES);
    const many = await manyCandidates(join(root, 'small'));
    const met =
      large.ratio <= goals.ratio &&
      large.peak_mb <= goals.peak_mb &&
      many.per_second >= goals.per_second;
    const measured = { tree: large, candidates: many };
    return { figures: { ...measured, goals, met }, lines: told(measured), met };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
