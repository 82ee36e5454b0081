import { randomBytes } from 'node:crypto';
import type { PinnedBuild } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Box, Clock, ExecOptions, Exit } from '../../stages/context.ts';
import type { Evidence } from '../../stages/test-reports/evidence.ts';
import { reporterFiles } from '../runs/reporter-files.ts';
import { isReporting } from './pinned.ts';
import { buildReason } from './reason.ts';
import { freshScratch } from './scratch.ts';

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_REPORT_BYTES = 64 * 1024 * 1024;
const MIB = 1024 ** 2;

export type Ran = {
  readonly commands: ContractBuild['commands'];
  readonly reasons: Reason[];
  readonly log: string;
  /** What the reporting command left, with how it ended; null where none was asked for or it was not reached. */
  readonly evidence: Evidence | null;
};

type Placed = { readonly path: string; readonly nonce: string; readonly script: string };

/**
 * Reporter and nonce lie outside of the tree, and only once the command that reports is about to start: no command before it can
 * read or change them. The reporter reads and removes the nonce before any candidate code loads.
 */
async function placeReporter(box: Box, { kind }: { kind: Evidence['runner'] }): Promise<Placed> {
  const path = `${box.outside}/report.jsonl`;
  const nonce = randomBytes(16).toString('hex');
  const files = reporterFiles(kind).map(({ name, bytes }) => ({
    path: `${box.outside}/${name}`,
    bytes,
  }));
  const all = [...files, { path: `${path}.nonce`, bytes: Buffer.from(nonce) }];
  await box.write(all.map((file) => ({ ...file, kind: 'file' })));
  return { path, nonce, script: files[0]?.path ?? '' };
}

/** Ends by which a limit of the system speaks: killed, too large a file, too much time of a processor. */
const LIMITS = new Set<string | number | null>(['SIGKILL', 137, 'SIGXFSZ', 153, 'SIGXCPU', 152]);

function exitReason(
  argv: readonly string[],
  { code, signal, timedOut, outOf }: Exit,
  timeout: number,
): Reason | null {
  const what = argv.join(' ').slice(0, 200);
  if (timedOut) return buildReason('timeout', `"${what}" took more than ${timeout} s`);
  if (outOf !== undefined) return buildReason('resource', `"${what}" ran out of ${outOf}`);
  if (LIMITS.has(code) || LIMITS.has(signal))
    return buildReason('resource', `"${what}" was killed at a limit`);
  return code === 0 ? null : buildReason('exit', `"${what}" ended with ${code ?? signal}`);
}

const logPart = (argv: readonly string[], { stdout, stderr }: Exit) =>
  `$ ${argv.join(' ')}\n${Buffer.from(stdout).toString('utf8')}${Buffer.from(stderr).toString('utf8')}`;

function limitsOf(build: PinnedBuild, timeout_s: number): ExecOptions {
  const { memory_mb, cpus, pids } = build.resources ?? {};
  return {
    timeoutMs: timeout_s * 1000,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    env: build.env,
    onlyEnv: true,
    ...(build.tree === 'ro'
      ? { readOnly: { writable: build.writable.map(({ path }) => path) } }
      : {}),
    ...(build.resources === undefined
      ? {}
      : {
          most: {
            ...(memory_mb === undefined ? {} : { memoryBytes: memory_mb * MIB }),
            ...(pids === undefined ? {} : { processes: pids }),
            ...(cpus === undefined ? {} : { cpus }),
          },
        }),
  };
}

async function evidenceOf(
  box: Box,
  runner: Evidence['runner'],
  { path, nonce }: Placed,
  { code, signal, timedOut }: Exit,
): Promise<Evidence> {
  const bytes = (await box.read(path, MAX_REPORT_BYTES)) ?? new Uint8Array();
  return { runner, nonce, bytes, code, signal, timedOut };
}

type Parts = {
  readonly build: PinnedBuild;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
};

type One = {
  readonly exit: Exit;
  readonly evidence: Evidence | null;
  readonly durationMs: number;
};

async function runOne(
  box: Box,
  { argv, timeout_s }: PinnedBuild['commands'][number],
  { build, clock, signal }: Parts,
): Promise<One> {
  const { report } = build;
  const placed =
    report !== undefined && isReporting(argv) ? await placeReporter(box, report) : null;
  const real = argv.map((word) =>
    placed === null
      ? word
      : word.replaceAll('{report}', placed.path).replaceAll('{reporter}', placed.script),
  );
  const started = clock.now();
  const exit = await box.exec(real, limitsOf(build, timeout_s), signal);
  const durationMs = Math.max(0, clock.now() - started);
  const evidence =
    report === undefined || placed === null
      ? null
      : await evidenceOf(box, report.kind, placed, exit);
  return { exit, evidence, durationMs };
}

/**
 * The commands of B_C one after another, up to the first that does not end as it must. `{report}` and `{reporter}` in an argument
 * stand for the report's path and the reporter's script.
 */
export async function runCommands(box: Box, parts: Parts): Promise<Ran> {
  const { build, signal } = parts;
  const commands: ContractBuild['commands'] = [];
  const logs: string[] = [];
  let evidence: Evidence | null = null;
  const end = (reasons: Reason[]) => ({ commands, reasons, log: logs.join(''), evidence });
  for (const [index, command] of build.commands.entries()) {
    const { argv, timeout_s } = command;
    if (!(await freshScratch(box, build, index === 0, signal)))
      return end([buildReason('resource', 'a command left what cannot be removed')]);
    const { exit, durationMs, ...one } = await runOne(box, command, parts);
    evidence = one.evidence ?? evidence;
    const { code, timedOut } = exit;
    commands.push({ argv, exit: code, signal: exit.signal, timedOut, durationMs });
    logs.push(logPart(argv, exit));
    const wrong = exitReason(argv, exit, timeout_s);
    // How the reporting command ended is judged beside its report: a failing test must fail the runner too.
    const isJudged = one.evidence !== null && wrong?.code === 'build.exit';
    if (wrong !== null && !isJudged) return end([wrong]);
  }
  return end([]);
}
