import type { Environment } from '../../schemas/environment.ts';
import type { Rejection } from '../../schemas/rejection.ts';
import type { Task } from '../../schemas/task.ts';
import type { TestRunResult } from '../../schemas/test-run.ts';
import type { Context } from '../context.ts';
import { allFiles } from '../validate/observe.ts';

/** Most lines of a rejection's own evidence, most characters of one message and of all. */
const LINES = 40;
const MESSAGE = 1500;
const ALL = 16_000;

const DIGEST = /^[0-9a-f]{64}$/;

/** A task that was put together far enough to run its tests. */
export type Tried = { readonly task: Task; readonly environment: Environment };

/**
 * What a gate found, for the drafter to read: code, detail, evidence, and what the new tests did in the run that the gate read
 * (on the base for `noop-…`, else on gold). That run is the ledger's; none is made for this.
 */
export async function gateEvidence(
  { code, detail, evidence }: Rejection,
  tried: Tried | null,
  context: Context,
): Promise<string> {
  const told = evidence.filter((line) => !DIGEST.test(line));
  const lines = told.slice(0, LINES).map((line) => `- ${line}`);
  const more = told.length > LINES ? [`- and ${told.length - LINES} more`] : [];
  const ran = tried === null ? [] : ['', ...(await runLines(code, tried, context))];
  return [`Refused as \`${code}\`: ${detail}`, ...lines, ...more, ...ran].join('\n').slice(0, ALL);
}

async function runLines(
  code: Rejection['code'],
  { task, environment }: Tried,
  context: Context,
): Promise<readonly string[]> {
  const isNoop = code.startsWith('noop-');
  const gold = task.gold.at(-1)?.after ?? task.base.tree;
  const request = {
    environment,
    tree: isNoop ? task.base.tree : gold,
    overlay: [...task.tests.overlay],
    files: [...allFiles(task)].toSorted(),
    repeat: 0,
  };
  const { result } = await context.runs.run(request, context.signal);
  const on = isNoop ? 'the untouched repository' : 'the whole gold solution';
  return [
    `Your tests on ${on} (the run ${result.status}):`,
    ...resultLines(result, task.tests.files),
    ...(result.status === 'completed' ? [] : ['Last output:', tailOf(result, context)]),
  ];
}

/** New tests with their verdicts, and others only where they did not pass. */
function resultLines({ report }: TestRunResult, own: readonly string[]): readonly string[] {
  return report.results
    .filter(
      ({ file, status }) => own.includes(file) || (status !== 'passed' && status !== 'skipped'),
    )
    .map(({ id, status, message }) =>
      message === null || status === 'passed'
        ? `- ${id}: ${status}`
        : `- ${id}: ${status}\n${steady(message).slice(0, MESSAGE)}`,
    );
}

function tailOf({ stdoutBlob, stderrBlob }: TestRunResult, { ledger }: Context): string {
  const text = [stdoutBlob, stderrBlob]
    .map((blob) => new TextDecoder().decode(ledger.get(blob)).trim().slice(-MESSAGE))
    .filter((part) => part !== '');
  return text.length === 0 ? '(none)' : steady(text.join('\n'));
}

const ESCAPE = String.fromCharCode(27);
const COLOURS = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z]`, 'g');

/** Without what differs from run to run, so that a question asked again is the same question. */
const steady = (text: string): string =>
  text
    .replace(COLOURS, '')
    .replace(/\b0x[0-9a-f]{6,}\b/gi, '0x')
    .replace(/\b\d+(?:\.\d+)? ?ms\b/g, '… ms');
