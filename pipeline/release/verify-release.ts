import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import type { z } from 'zod';
import { BenchRow } from '../../schemas/bench-row.ts';
import { HarborTask } from '../../schemas/harbor-task.ts';
import { SwebenchRow } from '../../schemas/swebench-row.ts';
import { sha256 } from '../../stages/contract/canonical-json.ts';
import { parseSums, SUMS } from './sums.ts';

/** What is wrong with a release, one line each, and where. */
export type ReleaseProblem = { readonly path: string; readonly problem: string };

type Files = ReadonlyMap<string, Uint8Array>;

function filesOf(folder: string): { files: Files; problems: ReleaseProblem[] } {
  const files = new Map<string, Uint8Array>();
  const problems: ReleaseProblem[] = [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  for (const path of names) {
    const stat = lstatSync(join(folder, path));
    if (stat.isFile()) files.set(path, new Uint8Array(readFileSync(join(folder, path))));
    else if (!stat.isDirectory())
      problems.push({ path, problem: 'is neither a file nor a folder' });
  }
  return { files, problems };
}

const textAt = (files: Files, path: string) => new TextDecoder().decode(files.get(path));

function sumProblems(files: Files): ReleaseProblem[] {
  const sums = files.has(SUMS) ? parseSums(textAt(files, SUMS)) : null;
  if (!sums) return [{ path: SUMS, problem: 'is missing or unreadable' }];
  const problems: ReleaseProblem[] = [];
  for (const [path, sum] of sums) {
    const bytes = files.get(path);
    if (!bytes) problems.push({ path, problem: 'is listed and missing' });
    else if (sha256(bytes) !== sum) problems.push({ path, problem: 'has other bytes than listed' });
  }
  const extra = [...files.keys()].filter((path) => path !== SUMS && !sums.has(path));
  return [...problems, ...extra.map((path) => ({ path, problem: 'is not listed' }))];
}

function rowProblem(line: string, schema: z.ZodType): string | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return `is not JSON: ${cause.message}`;
  }
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : null;
}

/** One object a line, LF, ASCII, no BOM; every row by its schema. */
function rowsProblems(files: Files, path: string, schema: z.ZodType): ReleaseProblem[] {
  const bytes = files.get(path) ?? new Uint8Array();
  const at = bytes.findIndex((byte) => byte > 0x7e || (byte < 0x20 && byte !== 0x0a));
  if (at !== -1) return [{ path, problem: `byte ${at} is not printable ASCII` }];
  const lines = textAt(files, path).split('\n');
  if (lines.pop() !== '') return [{ path, problem: 'does not end its last line' }];
  if (lines.length === 0) return [{ path, problem: 'holds no row' }];
  return lines.flatMap((line, index) => {
    const problem = rowProblem(line, schema);
    return problem === null ? [] : [{ path, problem: `line ${index + 1}: ${problem}` }];
  });
}

const harborFiles = [
  'task.toml',
  'instruction.md',
  'environment/Dockerfile',
  'environment/base.tar',
  'environment/collect.sh',
  'tests/Dockerfile',
  'tests/test.sh',
  'tests/grade.mjs',
  'tests/lock.json',
  'tests/tests.json',
  'solution/solve.sh',
  'solution/gold.patch',
];

/** `tests.json` and `lock.json` name bytes; they must be the bytes beside them. */
function graderProblems(files: Files, root: string): ReleaseProblem[] {
  const lock = JSON.parse(textAt(files, `${root}/tests/lock.json`));
  const tests = JSON.parse(textAt(files, `${root}/tests/tests.json`));
  const archive = files.get(`${root}/environment/base.tar`) ?? new Uint8Array();
  const problems: ReleaseProblem[] = [];
  if (sha256(archive) !== lock.base_tar.sha256) {
    problems.push({ path: `${root}/environment/base.tar`, problem: 'is not the base of the lock' });
  }
  for (const { path, sha256: wanted } of tests.overlay) {
    const hidden = `${root}/tests/hidden/${path}`;
    const bytes = files.get(hidden);
    if (bytes && sha256(bytes) === wanted) continue;
    problems.push({ path: hidden, problem: 'is not the hidden test that tests.json names' });
  }
  return problems;
}

function tomlProblems(files: Files, root: string): ReleaseProblem[] {
  const path = `${root}/task.toml`;
  const result = HarborTask.safeParse(parseToml(textAt(files, path)));
  const [issue] = result.error?.issues ?? [];
  if (issue) return [{ path, problem: `${issue.path.join('.')}: ${issue.message}` }];
  const id = result.data?.metadata.codespecweave.instance_id;
  return root.endsWith(`/${id}`) ? [] : [{ path, problem: `speaks of ${id}` }];
}

function harborProblems(files: Files): ReleaseProblem[] {
  const roots = new Set(
    [...files.keys()].flatMap((path) => /^harbor\/[^/]+(?=\/)/u.exec(path)?.[0] ?? []),
  );
  return [...roots].flatMap((root) => {
    const missing = harborFiles.filter((name) => !files.has(`${root}/${name}`));
    if (missing.length > 0) return [{ path: root, problem: `lacks ${missing.join(', ')}` }];
    return [...tomlProblems(files, root), ...graderProblems(files, root)];
  });
}

/** Every script must parse where it will run. The text goes in by stdin, so a path is never read as an option. */
function scriptProblems(files: Files): ReleaseProblem[] {
  const scripts = [...files].filter(([path]) => path.endsWith('.sh') && !path.includes('/hidden/'));
  return scripts.flatMap(([path, bytes]) => {
    if (bytes.includes(0x0d)) return [{ path, problem: 'holds a CR' }];
    const { status, stderr } = spawnSync('bash', ['-n'], { input: bytes, encoding: 'utf8' });
    return status === 0 ? [] : [{ path, problem: `bash cannot parse it: ${stderr.trim()}` }];
  });
}

/** Everything that is wrong with a release folder, read from its bytes alone; empty means sound. Nothing is repaired. */
export function verifyRelease(folder: string): ReleaseProblem[] {
  const { files, problems } = filesOf(folder);
  const rows = [...files.keys()].filter((path) => /^data\/[a-z]+\.jsonl$/u.test(path));
  const broken = [...problems, ...sumProblems(files)];
  // Damaged bytes are named once, by their sum; what they no longer parse to is no second finding.
  if (broken.length > 0) return broken;
  return [
    ...rows.flatMap((path) => rowsProblems(files, path, BenchRow)),
    ...(files.has('swebench/data.jsonl')
      ? rowsProblems(files, 'swebench/data.jsonl', SwebenchRow)
      : []),
    ...harborProblems(files),
    ...scriptProblems(files),
  ];
}
