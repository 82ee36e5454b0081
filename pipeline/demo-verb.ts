import { join } from 'node:path';
import type { RunConfig } from '../schemas/run-config.ts';
import type { Io } from './arguments.ts';
import { readRunConfig } from './config.ts';
import { readPack } from './repos/pack.ts';
import { packFolder } from './repos/pack-source.ts';
import { runVerb } from './run-verb.ts';
import type { WalkArguments } from './verb-config.ts';

type DemoArguments = WalkArguments & {
  readonly pack?: string | undefined;
  readonly 'dry-run'?: boolean;
};

const USUAL = 'token-bucket';

/** The whole chain on a bundled pack: recorded answers, no key, no network. */
export async function demoVerb(args: DemoArguments, io: Io): Promise<number> {
  const pack = args.pack ?? USUAL;
  const sandbox = args.sandbox ?? 'process';
  if (sandbox === 'process')
    io.say('sandbox process: no isolation. The pack and its recorded answers are trusted content.');
  const config = await demoConfig(pack, { ...args, sandbox });
  return await runVerb({ ...args, positionals: [`pack:${pack}`] }, io, config);
}

/** One recorded model for each entrant of the pack; a pack without recordings is woven and reviewed without models. */
async function demoConfig(name: string, args: DemoArguments): Promise<RunConfig> {
  const { folder, recordings, panel, demo } = await readPack(packFolder(name));
  const { solvers, solo_solvers, reviewer, repairer } = panel;
  const entrants = new Set([
    ...solvers,
    ...solo_solvers,
    ...[reviewer, repairer].flatMap((one) => one ?? []),
  ]);
  const pack = join(folder, recordings ?? '.');
  const model = (entrant: string) => ({ name: entrant, provider: 'recorded', pack });
  return readRunConfig(null, {
    run: args.run ?? (name === USUAL ? 'demo' : `demo-${name.replaceAll(/[^a-z0-9]+/g, '-')}`),
    sandbox: args.sandbox,
    // Runs wait for their own processes to start; more of them than cores keeps two cores busy.
    concurrency: args.concurrency ?? 4,
    models: [...entrants].map(model),
    roles: { solvers, reviewer, repairer },
    synthesize: { ...demo, solo_solvers },
  });
}
