import { existsSync, writeFileSync } from 'node:fs';
import { defineCommand } from '../arguments.ts';
import { commentedConfig } from '../config/commented-yaml.ts';
import { flagError } from '../config/usage-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { touching } from '../ledger/world-fault.ts';

/** Writes a run file in which every field has its default and one sentence of meaning. */
export const init = defineCommand({
  name: 'init',
  summary: 'write a commented pipeline.yaml',
  usage: 'pipeline init [FILE] [--force]',
  example: 'pipeline init && pipeline doctor --config pipeline.yaml',
  options: { force: { kind: 'flag', help: 'Write over a file that is there.' } },
  positionals: [
    { name: 'FILE', help: 'Where to write; pipeline.yaml by default.', isOptional: true },
  ],
  async run(args, io) {
    const file = args.positionals[0] ?? 'pipeline.yaml';
    const text = commentedConfig();
    if (args['dry-run']) {
      io.print(text.trimEnd());
      return exitCodes.done;
    }
    if (existsSync(file) && !args.force) {
      throw flagError('FILE', 'a name that is free, or --force', `"${file}", which is there`);
    }
    touching(`Writing ${file}`, () => writeFileSync(file, text));
    io.say(`Wrote ${file}. Name your models there, then: pipeline run SOURCE --config ${file}`);
    io.summarize({ file });
    return exitCodes.done;
  },
});
