import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobStore } from '../pipeline/contracts/blob-store.ts';
import { hostEnvironment } from '../pipeline/env.ts';
import { openTestRuns } from '../pipeline/runs/open.ts';
import { chooseSandbox } from '../pipeline/sandboxes/choose.ts';
import { withSlots } from '../pipeline/with-slots.ts';
import { type Environment, EnvironmentSpec } from '../schemas/environment.ts';
import type { Ledger, TestRuns } from '../stages/context.ts';
import { manifestText } from '../stages/contract/manifest.ts';

const TURNS = 7;
const CANDIDATES = 100;
const CORES = 2;
const IMAGE = 'csw-base:latest';
const FILE = 'test/a.test.mjs';
const MIB = 1024 * 1024;

const goals = { docker: 1.2, bwrap: 0.15, batch: 1.15, peak_mb: 300 };

type Place = 'docker' | 'bwrap';
type Timed = { readonly wall_s: number; readonly cpu_s: number };

const clock = { now: () => performance.now() };
const { signal } = new AbortController();

/** A suite of one test that is busy for so long, in milliseconds of processor time. */
const suite = (busyMs: number) => `import { test } from 'node:test';
test('is busy', () => {
  const start = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(start);
    if (user + system >= ${busyMs * 1000}) break;
  }
});
`;

/** Blobs in memory with the manifest of a tree of one test file and one source file. */
function treeOf(busyMs: number) {
  const blobs = blobStore();
  const ledger: Ledger = { note: () => undefined, put: blobs.put, get: blobs.get };
  const add = (source: string) => {
    const files = { 'src/a.mjs': source, [FILE]: suite(busyMs) };
    const entries = Object.entries(files).map(([path, text]) => {
      const bytes = new TextEncoder().encode(text);
      return { path, kind: 'file' as const, size: bytes.length, sha256: ledger.put(bytes) };
    });
    return ledger.put(manifestText(entries));
  };
  return { ledger, add };
}

const spec = EnvironmentSpec.parse({
  environment: 1,
  language: 'javascript',
  runner: 'node-test',
  testFiles: ['test/**'],
  sourceFiles: ['src/**'],
});

async function openRuns(place: Place, ledger: Ledger) {
  const cache = join(tmpdir(), 'csw-bench-cache');
  const sandbox = await chooseSandbox(place, {
    run: 'bench-grading',
    cache,
    host: hostEnvironment(),
  });
  return openTestRuns({ sandbox, ledger, clock });
}

async function prepared(runs: TestRuns, tree: string): Promise<Environment> {
  const made = await runs.prepare(spec, tree, signal);
  if (!made.ready) throw new Error(`the bench's environment failed at ${made.step}: ${made.tail}`);
  return made.environment;
}

async function grade(runs: TestRuns, environment: Environment, tree: string, repeat: number) {
  const request = { environment, tree, overlay: [], files: [FILE], repeat };
  const { result } = await runs.run(request, signal);
  if (result.status === 'completed' && result.exitCode === 0) return;
  throw new Error(`the bench's suite ended as ${result.status} with ${result.exitCode}`);
}

const seconds = async (work: () => unknown) => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};

const median = (values: readonly number[]) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The suite by the bare command on this host, with the processor time that the shell counted for it. */
function bare(folder: string, busyMs: number): Timed {
  mkdirSync(join(folder, 'test'), { recursive: true });
  writeFileSync(join(folder, FILE), suite(busyMs));
  const started = performance.now();
  const script = `"$0" --test ${FILE} >/dev/null && times`;
  const out = execFileSync('bash', ['-c', script, process.execPath], {
    cwd: folder,
    encoding: 'utf8',
  });
  const wall_s = (performance.now() - started) / 1000;
  const spent = [...(out.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/gu)];
  const cpu_s = spent.reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  );
  return { wall_s, cpu_s };
}

const containerStart = () =>
  seconds(() =>
    execFileSync('docker', ['run', '--rm', '--network', 'none', IMAGE, 'true'], {
      stdio: 'ignore',
    }),
  );

/** What a grade costs beyond the bare command, beside a raw container start; turn by turn, so that all meet the same load. */
async function overhead(folder: string) {
  const { ledger, add } = treeOf(1);
  const tree = add('export {};\n');
  const docker = await openRuns('docker', ledger);
  const bwrap = await openRuns('bwrap', ledger);
  const there = { docker: await prepared(docker, tree), bwrap: await prepared(bwrap, tree) };
  const seen = {
    start: [] as number[],
    bare: [] as number[],
    docker: [] as number[],
    bwrap: [] as number[],
  };
  for (let turn = 0; turn <= TURNS; turn++) {
    const start = await containerStart();
    const plain = bare(folder, 1).wall_s;
    const inDocker = await seconds(() => grade(docker, there.docker, tree, turn));
    const inBwrap = await seconds(() => grade(bwrap, there.bwrap, tree, turn));
    if (turn === 0) continue;
    seen.start.push(start);
    seen.bare.push(plain);
    seen.docker.push(inDocker - plain);
    seen.bwrap.push(inBwrap - plain);
  }
  const container_start_s = median(seen.start);
  const over = (values: readonly number[]) => ({
    overhead_s: median(values),
    ratio: median(values) / container_start_s,
  });
  return {
    turns: TURNS,
    container_start_s,
    bare_s: median(seen.bare),
    docker: over(seen.docker),
    bwrap: over(seen.bwrap),
  };
}

/** Many candidates of a suite that is busy for a second, on two cores, beside the processor time of the bare command. */
async function batch(folder: string) {
  const { ledger, add } = treeOf(1000);
  const runs = withSlots(await openRuns('bwrap', ledger), CORES);
  const environment = await prepared(runs, add('export {};\n'));
  const trees = Array.from({ length: CANDIDATES }, (_, at) => add(`export const at = ${at};\n`));
  const before = bare(folder, 1000);
  const wall_s = await seconds(() =>
    Promise.all(trees.map((tree, at) => grade(runs, environment, tree, at))),
  );
  const after = bare(folder, 1000);
  const cpu_s = ((before.cpu_s + after.cpu_s) / 2) * CANDIDATES;
  return { candidates: CANDIDATES, cores: CORES, wall_s, cpu_s, ratio: wall_s / (cpu_s / CORES) };
}

type Measured = {
  readonly overhead: Awaited<ReturnType<typeof overhead>>;
  readonly batch: Awaited<ReturnType<typeof batch>>;
  readonly peak_mb: number;
};

const told = ({ overhead: each, batch: many, peak_mb }: Measured) => [
  `raw container start ${each.container_start_s.toFixed(3)} s, bare test command ${each.bare_s.toFixed(3)} s (medians of ${each.turns} turns)`,
  ...(['docker', 'bwrap'] as const).map(
    (place) =>
      `grading in ${place}: ${each[place].overhead_s.toFixed(3)} s beyond the bare command, ${each[place].ratio.toFixed(2)} of a container start (goal: at most ${goals[place]})`,
  ),
  `${many.candidates} candidates of a one-second suite in bwrap: ${many.wall_s.toFixed(1)} s on ${many.cores} cores, ${many.cpu_s.toFixed(1)} s of test processor time`,
  `  ratio ${many.ratio.toFixed(2)} (goal: at most ${goals.batch})`,
  `memory at most ${peak_mb.toFixed(0)} MiB (goal: at most ${goals.peak_mb})`,
];

/**
 * `npm run bench -- grading [--json]`: grading beside raw `docker run` and the bare test command, in one run. Needs a Docker daemon
 * with the base image, bwrap and two cores; no network.
 */
export async function gradingBench() {
  if (availableParallelism() < CORES) throw new Error(`the bench needs ${CORES} cores`);
  const folder = mkdtempSync(join(tmpdir(), 'csw-bench-'));
  try {
    const measured = {
      overhead: await overhead(folder),
      batch: await batch(folder),
      peak_mb: (process.resourceUsage().maxRSS * 1024) / MIB,
    };
    const { docker, bwrap } = measured.overhead;
    const met =
      docker.ratio <= goals.docker &&
      bwrap.ratio <= goals.bwrap &&
      measured.batch.ratio <= goals.batch &&
      measured.peak_mb <= goals.peak_mb;
    return { figures: { ...measured, goals, met }, lines: told(measured), met };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
