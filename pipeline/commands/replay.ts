import { defineCommand } from '../arguments.ts';
import { replayVerb } from '../replay-verb.ts';
import { walkOptions } from '../verb-config.ts';

/** Verifies a run byte for byte and computes it again from what it stored. */
export const replay = defineCommand({
  name: 'replay',
  summary: 'verify every hash and compute a run again without model and sandbox',
  usage: 'pipeline replay --run NAME [--build]',
  example: 'pipeline replay --run demo --json',
  options: {
    sandbox: walkOptions.sandbox,
    build: {
      kind: 'flag',
      help: 'Also run every stored test run again and compare its results, test by test.',
    },
  },
  positionals: [],
  run: replayVerb,
});
