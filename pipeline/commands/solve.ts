import { defineCommand } from '../arguments.ts';
import { walkOptions } from '../verb-config.ts';
import { walkVerb } from '../walk-verb.ts';

/** Every solver of the run on every instance that was proved. */
export const solve = defineCommand({
  name: 'solve',
  summary: 'let every solver of the run try every proved task',
  usage: 'pipeline solve --run NAME [--config FILE] [--no-wait]',
  example: 'pipeline solve --run main --no-wait',
  options: walkOptions,
  positionals: [],
  run: (args, io) => walkVerb('solve', args, io),
});
