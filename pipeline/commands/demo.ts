import { defineCommand } from '../arguments.ts';
import { demoVerb } from '../demo-verb.ts';
import { walkOptions } from '../verb-config.ts';

/** Walks the bundled pack with recorded answers. */
export const demo = defineCommand({
  name: 'demo',
  summary: 'the whole chain on a bundled pack with recorded answers',
  usage: 'pipeline demo [--pack NAME] [--sandbox KIND] [--run NAME]',
  example: 'pipeline demo --sandbox bwrap --run demo-bwrap',
  options: {
    ...walkOptions,
    pack: { kind: 'text', value: 'NAME', help: 'A pack below seeds/; token-bucket by default.' },
  },
  positionals: [],
  run: demoVerb,
});
