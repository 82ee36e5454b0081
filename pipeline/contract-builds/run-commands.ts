import { randomBytes } from 'node:crypto';
import type { PinnedBuild } from '../../schemas/contract.ts';
import type { ContractBuild } from '../../schemas/contract-build.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import type { Box, Clock, Exit } from '../../stages/context.ts';
import { reporterFiles } from '../runs/reporter-files.ts';

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

export type Ran = {
  readonly commands: ContractBuild['commands'];
  readonly reasons: Reason[];
  readonly log: string;
  /** Where a report is written, with its one-use nonce; null where the contract asks for none. */
  readonly report: { readonly path: string; readonly nonce: string } | null;
  readonly last: Pick<Exit, 'code' | 'signal' | 'timedOut'>;
};

const reason = (code: string, detail: string): Reason => ({
  code: `build.${code}`,
  path: null,
  at: null,
  detail,
});

/** Reporter and nonce lie outside of the tree; the reporter reads and removes the nonce before any candidate code loads. */
async function placeReporter(
  box: Box,
  build: PinnedBuild,
): Promise<(Ran['report'] & { script: string }) | null> {
  if (build.report === undefined) return null;
  const path = `${box.outside}/report.jsonl`;
  const nonce = randomBytes(16).toString('hex');
  const files = reporterFiles(build.report.kind);
  await box.write([
    ...files.map(({ name, bytes }) => ({
      path: `${box.outside}/${name}`,
      kind: 'file' as const,
      bytes,
    })),
    { path: `${path}.nonce`, kind: 'file', bytes: Buffer.from(nonce) },
  ]);
  return { path, nonce, script: `${box.outside}/${files[0]?.name ?? ''}` };
}

function exitReason(
  argv: readonly string[],
  { code, signal, timedOut }: Exit,
  timeout: number,
): Reason | null {
  const what = argv.join(' ').slice(0, 200);
  if (timedOut) return reason('timeout', `"${what}" took more than ${timeout} s`);
  if (signal === 'SIGKILL' || code === 137) return reason('resource', `"${what}" was killed`);
  return code === 0 ? null : reason('exit', `"${what}" ended with ${code ?? signal}`);
}

/** Fresh, empty scratch folders for one command; a shared one keeps what earlier commands left. */
async function freshScratch(box: Box, { writable }: PinnedBuild, isFirst: boolean): Promise<void> {
  const fresh = writable.filter(({ shared }) => isFirst || !shared).map(({ path }) => path);
  if (fresh.length === 0) return;
  const script = 'for d in "$@"; do rm -rf -- "$d" && mkdir -p -- "$d" || exit 1; done';
  await box.exec(
    ['/bin/sh', '-c', script, 'sh', ...fresh],
    { timeoutMs: 60_000 },
    new AbortController().signal,
  );
}

const logPart = (argv: readonly string[], { stdout, stderr }: Exit) =>
  `$ ${argv.join(' ')}\n${Buffer.from(stdout).toString('utf8')}${Buffer.from(stderr).toString('utf8')}`;

/**
 * The commands of B_C one after another, up to the first that does not end as it must. `{report}` and `{reporter}` in an argument
 * stand for the report's path and the reporter's script.
 */
export async function runCommands(
  box: Box,
  build: PinnedBuild,
  clock: Pick<Clock, 'now'>,
  signal: AbortSignal,
): Promise<Ran> {
  const placed = await placeReporter(box, build);
  const commands: ContractBuild['commands'] = [];
  const logs: string[] = [];
  const readOnly =
    build.tree === 'ro' ? { readOnly: { writable: build.writable.map(({ path }) => path) } } : {};
  let last: Ran['last'] = { code: 0, signal: null, timedOut: false };
  for (const [index, { argv, timeout_s }] of build.commands.entries()) {
    await freshScratch(box, build, index === 0);
    const real = argv.map((word) =>
      word
        .replaceAll('{report}', placed?.path ?? '')
        .replaceAll('{reporter}', placed?.script ?? ''),
    );
    const started = clock.now();
    const limits = {
      timeoutMs: timeout_s * 1000,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      env: build.env,
      ...readOnly,
    };
    const exit = await box.exec(real, limits, signal);
    last = exit;
    const { code, signal: ended, timedOut } = exit;
    commands.push({
      argv,
      exit: code,
      signal: ended,
      timedOut,
      durationMs: Math.max(0, clock.now() - started),
    });
    logs.push(logPart(argv, exit));
    const wrong = exitReason(argv, exit, timeout_s);
    // With a report the exit status is judged beside it: a failing test must fail the runner too.
    const isReported = placed !== null && wrong?.code === 'build.exit';
    if (wrong !== null && !isReported)
      return { commands, reasons: [wrong], log: logs.join(''), report: placed, last };
  }
  return { commands, reasons: [], log: logs.join(''), report: placed, last };
}
