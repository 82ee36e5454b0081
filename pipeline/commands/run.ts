import { defineCommand } from '../arguments.ts';
import { runVerb } from '../run-verb.ts';
import { sourceOptions, synthesizeOptions, walkOptions } from '../verb-config.ts';

/** A source to a release in one go. */
export const run = defineCommand({
  name: 'run',
  summary: 'from a repository to a release in one go',
  usage: 'pipeline run SOURCE ... [--config pipeline.yaml] [--run NAME]',
  example: 'pipeline run git:../my-repo --config pipeline.yaml',
  options: { ...walkOptions, ...sourceOptions, ...synthesizeOptions },
  positionals: [{ name: 'SOURCE', help: 'git:PATH-OR-URL, archive:FILE or pack:NAME', many: true }],
  run: (args, io) => runVerb(args, io),
});
