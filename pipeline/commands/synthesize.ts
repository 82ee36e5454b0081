import { defineCommand } from '../arguments.ts';
import { synthesizeVerb } from '../synthesize-verb.ts';
import { sourceOptions, synthesizeOptions, walkOptions } from '../verb-config.ts';

/** Drafts tasks from what was mined and proves them by running. */
export const synthesize = defineCommand({
  name: 'synthesize',
  summary: 'draft tasks of several requirements and prove their coupling by running',
  usage:
    'pipeline synthesize [SOURCE ...] --run NAME [--batch N] [--k K] [--mode MODE] [--level LEVEL]',
  example: 'pipeline synthesize git:../my-repo --run main --batch 20 --env environment.json',
  options: { ...walkOptions, ...sourceOptions, ...synthesizeOptions },
  positionals: [
    {
      name: 'SOURCE',
      help: 'git:PATH-OR-URL, archive:FILE or pack:NAME',
      isOptional: true,
      many: true,
    },
  ],
  run: synthesizeVerb,
});
