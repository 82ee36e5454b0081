import { defineCommand } from '../arguments.ts';
import { mineVerb } from '../mine-verb.ts';
import { sourceOptions, walkOptions } from '../verb-config.ts';

/** Reads repositories and their talk into seeds and their graph. */
export const mine = defineCommand({
  name: 'mine',
  summary: 'read a repository and its threads into seeds and their graph',
  usage:
    'pipeline mine SOURCE ... [--run NAME] [--threads FILE] [--env FILE] [--max-commits N] [--since TIME] [--estimate]',
  example: 'pipeline mine git:../my-repo --threads threads.jsonl --run main',
  options: {
    ...walkOptions,
    ...sourceOptions,
    estimate: {
      kind: 'flag',
      help: 'Say how many requests a github: source would take, and stop.',
    },
  },
  positionals: [
    {
      name: 'SOURCE',
      help: 'github:owner/name, git:PATH-OR-URL, archive:FILE or pack:NAME',
      many: true,
    },
  ],
  run: mineVerb,
});
