import type { Instance } from '../../schemas/instance.ts';
import type { Task } from '../../schemas/task.ts';
import { stages } from '../../stages/registry.ts';
import { clauseTraces, testTraces } from '../../stages/validate/traceability.ts';
import { defineCommand, type Io } from '../arguments.ts';
import { choices } from '../config/nearest.ts';
import { flagError } from '../config/usage-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { type OpenLedger, openLedger } from '../ledger/open.ts';
import { matrixLines } from '../print-matrix.ts';
import { traceLines } from '../print-traces.ts';
import { existingRun } from '../run-folder.ts';
import { describeEnd } from '../run-verbs.ts';

/** Looks at the records of a run, or takes one out of its release. */
export const tasks = defineCommand({
  name: 'tasks',
  summary: 'list, show or exclude the tasks of a run',
  usage: 'pipeline tasks list | show ID | exclude ID --reason TEXT [--run NAME]',
  example: 'pipeline tasks show token-bucket-pause-idle --run demo',
  options: { reason: { kind: 'text', value: 'TEXT', help: 'Why a task is excluded.' } },
  positionals: [
    { name: 'WHAT', help: 'list, show or exclude' },
    { name: 'ID', help: 'a record of the run', isOptional: true },
  ],
  async run(args, io) {
    const [what = '', id = ''] = args.positionals;
    if (!['list', 'show', 'exclude'].includes(what))
      throw flagError('WHAT', choices(what, ['list', 'show', 'exclude']), `"${what}"`);
    const { folder } = existingRun(args);
    const mode = what === 'exclude' && !args['dry-run'] ? 'write' : 'read';
    const ledger = openLedger({ folder, mode, clock: io.clock });
    try {
      if (what === 'list') return list(ledger, io);
      const known = ledger.records();
      if (!known.includes(id)) throw flagError('ID', choices(id, known), `"${id}"`);
      return what === 'show' ? show(ledger, id, io) : exclude(ledger, id, args, io);
    } finally {
      ledger.close();
    }
  },
});

function list(ledger: OpenLedger, io: Io): number {
  const rows = ledger.records().map((record) => {
    const state = ledger.fold(record, stages);
    return { record, end: describeEnd(state), code: state.rejection?.code ?? null };
  });
  for (const { record, end } of rows) io.print(`${record}  ${end}`);
  io.summarize({ verb: 'tasks list', tasks: rows });
  return exitCodes.done;
}

function show(ledger: OpenLedger, id: string, io: Io): number {
  const state = ledger.fold(id, stages);
  const { task, instance } = state.facts as { task?: Task; instance?: Instance };
  io.print(`${id}: ${describeEnd(state)}`);
  for (const line of state.rejection?.evidence ?? []) io.print(`  ${line}`);
  if (task !== undefined) io.print(`\n${task.statement}`);
  const isProved = task !== undefined && instance !== undefined;
  if (instance !== undefined) for (const line of matrixLines(instance)) io.print(line);
  if (isProved) for (const line of traceLines(task, instance)) io.print(line);
  io.summarize({
    verb: 'tasks show',
    record: id,
    next: state.next,
    rejection: state.rejection,
    facts: state.facts,
    ...(isProved && {
      clauses: clauseTraces(task, instance),
      tests: testTraces(instance),
    }),
  });
  return exitCodes.done;
}

function exclude(
  ledger: OpenLedger,
  record: string,
  {
    reason,
    'dry-run': isDry,
  }: { readonly reason?: string | undefined; readonly 'dry-run': boolean },
  io: Io,
): number {
  if (reason === undefined) throw flagError('--reason', 'why the task is excluded', 'nothing');
  if (!isDry) ledger.note({ kind: 'record-excluded', record, key: record, body: { reason } });
  io.say(`${record} ${isDry ? 'would be' : 'is'} excluded: ${reason}. Run pipeline export again.`);
  io.summarize({ verb: 'tasks exclude', record, reason, dry_run: isDry });
  return exitCodes.done;
}
