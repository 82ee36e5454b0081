import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stages } from '../../stages/registry.ts';
import { defineCommand } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import { openLedger } from '../ledger/open.ts';
import { type RunStatus, runStatus } from '../ledger/run-status.ts';
import { isSealed } from '../ledger/seal.ts';
import { writerOf } from '../ledger/writer-lock.ts';
import { existingRun } from '../run-folder.ts';

/** Reads a run beside its living writer and says where it stands. */
export const status = defineCommand({
  name: 'status',
  summary: 'where a run stands, also while it is running',
  usage: 'pipeline status [--run NAME] [--out DIR] [--json]',
  example: 'pipeline status --run demo',
  options: {},
  positionals: [],
  async run(args, io) {
    const { run, folder } = existingRun(args);
    const ledger = openLedger({ folder, mode: 'read', clock: io.clock });
    const counts = runStatus(ledger.events(), stages);
    ledger.close();
    const letters = openLetters(folder);
    const state = stateOf(folder);
    for (const line of linesOf(run, state, counts, letters)) io.say(line);
    io.summarize({ run, ...state, ...counts, money: plainMoney(counts), openRequests: letters });
    return exitCodes.done;
  },
});

type State = { readonly writer: number | null; readonly sealed: boolean };

const stateOf = (folder: string): State => ({
  writer: writerOf(folder),
  sealed: isSealed(folder),
});

/** A run folder's own rooms, in which no mailbox lies. */
const rooms = new Set(['blobs', 'release']);

/** Letters of the run's mailboxes that have no answer in place, as paths. */
function openLetters(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !rooms.has(entry.name))
    .flatMap(({ name }) => {
      const files = new Set(readdirSync(join(folder, name)));
      return [...files]
        .filter((file) => file.endsWith('.request.md') && !isAnswered(file, files))
        .map((file) => join(folder, name, file));
    })
    .toSorted();
}

function isAnswered(letter: string, files: ReadonlySet<string>): boolean {
  const digest = letter.slice(0, -'.request.md'.length);
  return ['json', 'md'].some((kind) => files.has(`${digest}.response.${kind}`));
}

/** Snake case, as in every file that others read. */
const plainMoney = ({ money: { calls, usd, costComplete, estimateUsd } }: RunStatus) => ({
  calls,
  usd,
  cost_complete: costComplete,
  estimate_usd: estimateUsd,
});

const counted = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

function headline({ writer, sealed }: State): string {
  if (writer !== null) return `process ${writer} is writing it`;
  return sealed ? 'closed' : 'stopped before its end; the same command goes on from here';
}

function linesOf(
  run: string,
  state: State,
  counts: RunStatus,
  letters: readonly string[],
): string[] {
  const { records, finished, excluded, money } = counts;
  const known = money.costComplete ? '' : `, not complete (about $${money.estimateUsd.toFixed(2)})`;
  return [
    `Run ${run}: ${headline(state)}.`,
    `records    ${records}: ${finished} finished, ${excluded} excluded`,
    `next       ${counted(counts.waitingFor)}`,
    `rejected   ${counted(counts.rejected)}`,
    `faults     ${counted(counts.faulted)}`,
    ...counts.faults.map(({ record, message }) => `           ${record}: ${message}`),
    `rollouts   ${counted(counts.rollouts)}`,
    `test runs  ${counts.testRuns}`,
    `calls      ${money.calls}`,
    `cost       $${money.usd.toFixed(4)}${known}`,
    `mailbox    ${letters.length} open`,
    ...letters.map((letter) => `           ${letter}`),
  ];
}
