import { defineCommand } from '../arguments.ts';
import { walkOptions } from '../verb-config.ts';
import { walkVerb } from '../walk-verb.ts';
import { witnessVerb } from '../witness-verb.ts';

/** Judges the tests of solved tasks and mends what a witness shows to be wrong. */
export const review = defineCommand({
  name: 'review',
  summary: 'judge tests by running candidates, mend what a witness shows to be wrong',
  usage: 'pipeline review --run NAME [--witness ID]',
  example: 'pipeline review --run demo --witness w-token-bucket-refund-spent-0-FP1-R1.b',
  options: {
    ...walkOptions,
    witness: { kind: 'text', value: 'ID', help: 'Execute this witness again, in fresh boxes.' },
  },
  positionals: [],
  run: (args, io) =>
    args.witness === undefined ? walkVerb('repair', args, io) : witnessVerb(args.witness, args, io),
});
