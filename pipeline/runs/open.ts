import type { TestRunRequest, TestRunResult } from '../../schemas/test-run.ts';
import type {
  Box,
  Clock,
  Exit,
  Ledger,
  RunOptions,
  Sandbox,
  TestRuns,
} from '../../stages/context.ts';
import { parseManifest } from '../../stages/contract/manifest.ts';
import { runnerArgv } from '../../stages/test-reports/argv.ts';
import { type Evidence, judge, packEvidence } from '../../stages/test-reports/evidence.ts';
import { testRunKey } from '../../stages/test-reports/run-key.ts';
import { boxFiles } from '../../stages/trees/trees.ts';
import { disturb } from './disturb.ts';
import { driftOf, type Laid, overlayPart, treePart } from './expected-tree.ts';
import { checkLaid, lay } from './lay.ts';
import { probe } from './probe.ts';
import { reporterFiles } from './reporter-files.ts';
import { runSuite } from './run-suite.ts';
import { setSentinels } from './set-sentinels.ts';
import { withControls } from './with-controls.ts';
import { withRetries } from './with-retries.ts';

type Parts = {
  readonly sandbox: Sandbox;
  readonly ledger: Ledger;
  readonly clock: Clock;
};

type Options = { readonly options: RunOptions | undefined };

/**
 * Runs test files on trees, each in a fresh box, its control first. Whatever the candidate did to the run is in the result; a Fault
 * is the box, the disk or the ledger, or a control that does not hold, and then nothing was measured. A Fault that says it may be
 * tried again is tried twice more.
 */
export function openTestRuns(parts: Parts): TestRuns {
  const { sandbox, ledger, clock } = parts;
  const run: TestRuns['run'] = async (request, signal, options) => ({
    key: testRunKey(request),
    result: await sandbox.use(request.environment, signal, (box) =>
      measure(box, request, { ...parts, options }, signal),
    ),
  });
  const bare: TestRuns = {
    async prepare(spec, tree, signal) {
      const prepared = await sandbox.prepare(spec, boxFiles(ledger, tree), signal);
      if (!prepared.ready) return prepared;
      for (const bytes of prepared.frozen) ledger.put(bytes);
      return { ready: true, environment: prepared.environment };
    },
    run,
  };
  return withControls(withRetries(bare, clock));
}

async function measure(
  box: Box,
  request: TestRunRequest,
  { ledger, clock, options }: Parts & Options,
  signal: AbortSignal,
): Promise<TestRunResult> {
  const { spec } = request.environment;
  const plain = [
    ...treePart(parseManifest(ledger.get(request.tree)), request.overlay),
    ...overlayPart(request.overlay),
  ];
  const files = present(request.files, plain);
  const { laid, sentinels } = setSentinels(spec, files, plain, ledger);
  await lay(box, laid, ledger);
  await placeReporter(box, spec.runner);
  const hidden = new Set(request.overlay.map(({ path }) => path));
  await checkLaid(
    box,
    laid.filter(({ path }) => hidden.has(path)),
    ledger,
  );
  const report = `${box.outside}/report.jsonl`;
  const { disturbance } = request;
  const start = disturbance && (await disturb(box, { spec, files, disturbance }));
  const plainArgv = runnerArgv(start?.spec ?? spec, start?.files ?? files, report);
  const probed = request.probed === true ? await probe(box, spec.runner) : null;
  const argv = [start, probed].reduce((inner, one) => one?.wrap(inner) ?? inner, plainArgv);
  const timeoutMs = Math.min(spec.timeoutS * 1000, options?.timeoutMs ?? Number.POSITIVE_INFINITY);
  const started = clock.now();
  const ended = await runSuite(box, { argv, report, timeoutMs }, signal);
  const durationMs = Math.max(0, clock.now() - started);
  const drift = driftOf(laid, await box.tree());
  const run = { ...ended, runner: spec.runner, sentinels };
  const disturbed = await start?.told();
  const ran = await probed?.told();
  return {
    ...keep(run, ledger),
    durationMs,
    drift,
    ...(disturbed && { disturbed }),
    ...(ran && { ran }),
  };
}

/** Lay the reporter's files outside of the tree, beside where a report may lie. */
async function placeReporter(box: Box, runner: Evidence['runner']): Promise<void> {
  const files = reporterFiles(runner).map(({ name, bytes }) => ({
    path: `${box.outside}/${name}`,
    kind: 'file' as const,
    bytes,
  }));
  await box.write(files);
}

/** A runner stops at a file that is not there; its tests are absent, and the others still run. */
function present(files: readonly string[], laid: readonly Laid[]): readonly string[] {
  const paths = new Set(laid.map(({ path }) => path));
  const there = files.filter((file) => paths.has(file));
  return there.length === 0 ? files : there;
}

type Kept = Omit<TestRunResult, 'durationMs' | 'drift'>;

function keep(
  run: Evidence & Pick<Exit, 'stdout' | 'stderr' | 'droppedBytes'> & { unsupervised?: true },
  ledger: Ledger,
): Kept {
  return {
    ...judge(run),
    ...(run.outOf === undefined ? {} : { outOf: run.outOf }),
    ...(run.unsupervised && { unsupervised: true }),
    reportBlob: run.bytes.length === 0 ? null : ledger.put(packEvidence(run)),
    stdoutBlob: ledger.put(run.stdout),
    stderrBlob: ledger.put(run.stderr),
    droppedBytes: run.droppedBytes,
  };
}
