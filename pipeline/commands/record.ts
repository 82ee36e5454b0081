import { join } from 'node:path';
import type { Recording } from '../../schemas/recording.ts';
import { defineCommand } from '../arguments.ts';
import { choices } from '../config/nearest.ts';
import { flagError, usageError } from '../config/usage-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { openLedger } from '../ledger/open.ts';
import { touching } from '../ledger/world-fault.ts';
import { writeRecordings } from '../models/recorded/write-folder.ts';
import { personalProblems } from './record/personal.ts';
import { recordingsOf } from './record/recordings-of.ts';

function chosen(recordings: readonly Recording[], entrants: readonly string[]): Recording[] {
  const known = [...new Set(recordings.map(({ request }) => request.entrant))].toSorted();
  const unknown = entrants.find((entrant) => !known.includes(entrant));
  if (unknown !== undefined) {
    throw flagError('--entrant', choices(unknown, known), `"${unknown}"`);
  }
  if (entrants.length === 0) return [...recordings];
  return recordings.filter(({ request }) => entrants.includes(request.entrant));
}

/** Writes the answers of a run to a folder that the `recorded` provider replays. */
export const record = defineCommand({
  name: 'record',
  summary: "keep a run's model answers as recordings that replay offline",
  usage: 'pipeline record --run NAME --to DIR [--entrant NAME]',
  example: 'pipeline record --run demo --to seeds/token-bucket/recordings',
  options: {
    to: {
      kind: 'text',
      value: 'DIR',
      help: 'Folder for the recordings; those that are there stay.',
    },
    entrant: {
      kind: 'list',
      value: 'NAME',
      help: 'Only answers of this entrant; may be repeated.',
    },
  },
  positionals: [],
  async run(args, io) {
    const { to } = args;
    if (to === undefined) throw flagError('--to', 'a folder for the recordings', 'nothing');
    if (args.run === undefined) throw flagError('--run', 'the name of a run', 'nothing');
    const folder = join(args.out ?? 'out', args.run);
    const ledger = openLedger({ folder, mode: 'read', clock: io.clock });
    try {
      const recordings = chosen(recordingsOf(ledger), args.entrant);
      const problems = personalProblems(recordings);
      if (problems.length > 0) throw usageError(problems);
      const written = args['dry-run']
        ? { added: 0, kept: 0 }
        : touching(`Writing recordings to ${to}`, () => writeRecordings(to, recordings));
      const verb = args['dry-run'] ? 'would be recorded' : 'recorded';
      io.say(`${recordings.length} answers ${verb} in ${to} (${written.added} new).`);
      io.summarize({ run: args.run, to, answers: recordings.length, ...written });
      return exitCodes.done;
    } finally {
      ledger.close();
    }
  },
});
