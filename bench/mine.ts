import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openParse } from '../pipeline/parsing/tree-sitter.ts';
import { openGit } from '../pipeline/repos/git.ts';
import { readThreads } from '../pipeline/repos/threads.ts';
import type { Source } from '../schemas/source.ts';
import { mineSource } from '../stages/mine.ts';

const COMMITS = 50_000;
/** Of them so many are read with their diffs: `git log -p` and we take minutes over all. */
const WITH_DIFFS = 5_000;
const FILES = 40;
const THREADS = 100_000;
/** An archive is as long for a short history, and blame in a long one is git's own time. */
const SMALL_COMMITS = 300;
const TURNS = 3;
const MIB = 1024 * 1024;

const goals = { walk: 1.3, seeds: 1.3, walk_mb: 200, archive_mb: 400 };

const seconds = async (work: () => unknown) => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};
const best = (values: readonly number[]) => Math.min(...values);

/** A module of ten functions, one of which a commit changes. */
function moduleText(name: string, changed: number, value: number): string {
  return Array.from(
    { length: 10 },
    (_, at) =>
      `export function ${name}${at}(count: number): number {\n  const limit = ${at === changed ? value : at};\n  if (count > limit) return limit;\n  return count;\n}\n`,
  ).join('\n');
}

/** A history of one line, fixed in every byte. */
async function writeHistory(repo: string, commits: number): Promise<void> {
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', repo]);
  const git = spawn('git', ['-C', repo, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  for (let at = 0; at < commits; at++) {
    const name = `f${at % FILES}`;
    const file = `src/${name}.ts`;
    const text = moduleText(name, at % 10, at);
    const test = `import { test } from 'node:test';\nimport { ${name}0 } from '../src/${name}.ts';\ntest('${name} holds ${at}', () => ${name}0(${at}));\n`;
    const message = `${name}${at % 10} must not go beyond ${at}\n\nIt should return the limit instead of throwing.`;
    const commit = [
      `commit refs/heads/main\ncommitter A <a@example.org> ${1_600_000_000 + at * 60} +0000`,
      `data ${message.length}\n${message}`,
      ...(at % 3 === 0
        ? [`M 100644 inline test/${name}.test.ts\ndata ${test.length}\n${test}`]
        : []),
      `M 100644 inline ${file}\ndata ${text.length}\n${text}\n`,
    ].join('\n');
    if (!git.stdin.write(commit)) await once(git.stdin, 'drain');
  }
  git.stdin.end();
  await once(git, 'close');
}

const log = (repo: string, ...more: string[]) =>
  spawnSync('git', ['-C', repo, 'log', '--first-parent', '--no-renames', ...more], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** The walk over all commits, beside git's own, turn by turn. */
async function walk(repo: string) {
  const [git, ours]: [number[], number[]] = [[], []];
  const opened = await openGit({ path: repo });
  try {
    for (let turn = 0; turn <= TURNS; turn++) {
      const plain = await seconds(() => log(repo, '--raw', '--no-abbrev'));
      let count = 0;
      const mine = await seconds(async () => {
        for await (const _ of opened.commits({ ref: 'HEAD', max: Number.POSITIVE_INFINITY }))
          count++;
      });
      if (count !== COMMITS) throw new Error(`the walk saw ${count} commits`);
      if (turn === 0) continue;
      git.push(plain);
      ours.push(mine);
    }
  } finally {
    await opened.close();
  }
  const peak_mb = (process.resourceUsage().maxRSS * 1024) / MIB;
  return {
    commits: COMMITS,
    git_s: best(git),
    ours_s: best(ours),
    ratio: best(ours) / best(git),
    peak_mb,
  };
}

/** Seeds with both sides of every change and its symbols, beside `git log -p` over the same commits. */
async function seeds(repo: string) {
  const opened = await openGit({ path: repo });
  const parse = await openParse();
  const source: Source = {
    name: 'bench',
    kind: 'git',
    origin: repo,
    url: null,
    head: opened.head,
    licence: null,
    licenceFiles: [],
  };
  const languageRules = { testFiles: ['test/**'], sourceFiles: ['src/**'] };
  const [git, ours]: [number[], number[]] = [[], []];
  let usable = 0;
  try {
    for (let turn = 0; turn <= TURNS; turn++) {
      const plain = await seconds(() => log(repo, '-p', `--max-count=${WITH_DIFFS}`));
      usable = 0;
      const mine = await seconds(async () => {
        const request = {
          source,
          threads: [],
          repo: opened,
          parse,
          languageRules,
          max: WITH_DIFFS,
        };
        for await (const seed of mineSource(request)) if (seed.rejections.length === 0) usable++;
      });
      if (turn === 0) continue;
      git.push(plain);
      ours.push(mine);
    }
  } finally {
    await opened.close();
  }
  return {
    commits: WITH_DIFFS,
    usable,
    git_s: best(git),
    ours_s: best(ours),
    ratio: best(ours) / best(git),
  };
}

async function writeArchive(path: string): Promise<void> {
  const out = createWriteStream(path);
  const body = 'The limit should be returned instead of an error. '.repeat(20);
  for (let number = 1; number <= THREADS; number++) {
    const thread = {
      number,
      kind: 'issue',
      title: `limit ${number}`,
      body,
      author: 'a',
      state: 'open',
    };
    const line = `${JSON.stringify({ ...thread, createdAt: '2024-01-01T00:00:00Z' })}\n`;
    if (!out.write(line)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

/** Memory of a process that mines with a whole archive beside it. */
function archive(path: string, repo: string) {
  const cli = join(import.meta.dirname, '../pipeline/cli.ts');
  const peak = `data:text/javascript,process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))`;
  const out = mkdtempSync(join(tmpdir(), 'csw-bench-out-'));
  try {
    const started = performance.now();
    const args = ['mine', `git:${repo}`, '--threads', path, '--max-commits', '200', '--out', out];
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--import', peak, cli, ...args, '--run', 'bench'],
      { encoding: 'utf8' },
    );
    const [, kib] = /^peak (\d+)$/mu.exec(stderr) ?? [];
    if (status !== 0 || kib === undefined) throw new Error(`mining the archive failed: ${stderr}`);
    return {
      threads: THREADS,
      seconds: (performance.now() - started) / 1000,
      peak_mb: Number(kib) / 1024,
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** Reading alone, one line in memory at a time. */
async function readOnly(path: string) {
  let count = 0;
  const spent = await seconds(async () => {
    for await (const _ of readThreads(path, () => undefined)) count++;
  });
  return { threads: count, seconds: spent };
}

type Measured = {
  readonly walk: Awaited<ReturnType<typeof walk>>;
  readonly seeds: Awaited<ReturnType<typeof seeds>>;
  readonly archive: ReturnType<typeof archive>;
};

const told = ({ walk: each, seeds: diffs, archive: all }: Measured) => [
  `walk of ${each.commits} commits: ${each.ours_s.toFixed(2)} s, git log --raw ${each.git_s.toFixed(2)} s (best of ${TURNS})`,
  `  ratio ${each.ratio.toFixed(2)} (goal: at most ${goals.walk}), memory at most ${each.peak_mb.toFixed(0)} MiB (goal: at most ${goals.walk_mb})`,
  `seeds of ${diffs.commits} commits with diffs and symbols: ${diffs.ours_s.toFixed(2)} s, git log -p ${diffs.git_s.toFixed(2)} s`,
  `  ratio ${diffs.ratio.toFixed(2)} (goal: at most ${goals.seeds})`,
  `archive of ${all.threads} threads mined in ${all.seconds.toFixed(1)} s, memory at most ${all.peak_mb.toFixed(0)} MiB (goal: at most ${goals.archive_mb})`,
];

/** `npm run bench -- mine [--json]`: mining beside git itself, on a history that is made for it. Needs git and a disk, no network. */
export async function mineBench() {
  const folder = mkdtempSync(join(tmpdir(), 'csw-bench-'));
  try {
    const [repo, small] = [join(folder, 'repo.git'), join(folder, 'small.git')];
    const threads = join(folder, 'threads.jsonl');
    await writeHistory(repo, COMMITS);
    await writeHistory(small, SMALL_COMMITS);
    await writeArchive(threads);
    const walked = await walk(repo);
    const measured = { walk: walked, seeds: await seeds(repo), archive: archive(threads, small) };
    const read = await readOnly(threads);
    const met =
      walked.ratio <= goals.walk &&
      walked.peak_mb <= goals.walk_mb &&
      measured.seeds.ratio <= goals.seeds &&
      measured.archive.peak_mb < goals.archive_mb;
    return { figures: { ...measured, read, goals, met }, lines: told(measured), met };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
