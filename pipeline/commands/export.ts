import { defineCommand } from '../arguments.ts';
import { exportVerb } from '../export-verb.ts';
import { walkOptions } from '../verb-config.ts';

/** Writes the accepted records of a run as a release. */
export const exportCommand = defineCommand({
  name: 'export',
  summary: 'write accepted tasks as benchmark rows, Harbor folders and SWE-bench rows',
  usage: 'pipeline export --run NAME [--allow-no-licence]',
  example: 'pipeline export --run main',
  options: {
    ...walkOptions,
    'allow-no-licence': { kind: 'flag', help: 'Export tasks of a source without a licence.' },
  },
  positionals: [],
  run: exportVerb,
});
