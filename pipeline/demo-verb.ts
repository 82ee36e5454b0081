import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from './arguments.ts';
import { readRunConfig } from './config.ts';
import { packFolder } from './repos/pack-source.ts';
import { runVerb } from './run-verb.ts';
import type { WalkArguments } from './verb-config.ts';

type DemoArguments = WalkArguments & {
  readonly pack?: string | undefined;
  readonly 'dry-run'?: boolean;
};

/** Entrants whose answers the packs carry. */
const SOLVERS = ['ash', 'birch', 'cedar'];

/** The whole chain on a bundled pack: recorded answers, no key, no network. */
export async function demoVerb(args: DemoArguments, io: Io): Promise<number> {
  const pack = args.pack ?? 'token-bucket';
  const sandbox = args.sandbox ?? 'process';
  if (sandbox === 'process')
    io.say('sandbox process: no isolation. The pack and its recorded answers are trusted content.');
  const config = demoConfig(pack, { ...args, sandbox });
  return await runVerb({ ...args, positionals: [`pack:${pack}`] }, io, config);
}

/** One recorded model per entrant; a pack without recordings is woven and reviewed without models. */
export function demoConfig(pack: string, args: DemoArguments) {
  const recordings = join(packFolder(pack), 'recordings');
  const has = existsSync(join(recordings, 'SHA256SUMS'));
  const names = [...SOLVERS, 'reader', 'mender'];
  return readRunConfig(null, {
    run: args.run ?? (pack === 'token-bucket' ? 'demo' : `demo-${pack}`),
    sandbox: args.sandbox,
    concurrency: args.concurrency,
    models: has
      ? names.map((name) => ({
          name,
          provider: 'recorded',
          family: 'declared-unknown',
          pack: recordings,
        }))
      : [],
    roles: has ? { solvers: SOLVERS, reviewer: 'reader', repairer: 'mender' } : {},
    synthesize: { batch: 4, mutants_per_part: 6, solo_solvers: has ? ['ash'] : [] },
  });
}
