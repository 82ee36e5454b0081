import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunConfig } from '../schemas/run-config.ts';
import type { Io } from './arguments.ts';
import { flagError } from './config/usage-problem.ts';
import { exitCodes } from './exit-codes.ts';
import { touching } from './ledger/world-fault.ts';
import { mineInto, type Opened, openAgain } from './mine-into.ts';
import { type Mined, minedSources } from './mined.ts';
import { type OpenRun, openRun } from './open-run.ts';
import { type Estimate, estimateMining } from './repos/github/open.ts';
import { noteStart, placeOf, verbConfig, type WalkArguments } from './verb-config.ts';
import { lineOf } from './walk-verb.ts';

export type SourceArguments = WalkArguments & {
  readonly repo?: string | undefined;
  readonly positionals: readonly string[];
  readonly 'dry-run'?: boolean;
  readonly estimate?: boolean;
};

/** Mine the named sources into a run. */
export async function mineVerb(args: SourceArguments, io: Io): Promise<number> {
  const config = verbConfig(args);
  if (args.estimate === true) return await estimateVerb(config, args, io);
  if (args['dry-run'] === true) return describeMining(config, args, io);
  const run = await openRun(config, placeOf(args, io));
  const opened: Opened[] = [];
  try {
    noteStart(run.ledger, config);
    await mineAll(run, args, io, opened);
    const mined = minedSources(run.ledger);
    writeSeeds(run.folder, mined);
    io.say(`seeds.jsonl and seed-graph.json in ${run.folder}`);
    io.summarize({
      run: config.run,
      verb: 'mine',
      sources: mined.map(({ source, funnel, graph }) => ({
        name: source.name,
        funnel,
        edges: graph.edges.length,
      })),
    });
    return exitCodes.done;
  } finally {
    for (const { close } of opened) await close();
    run.close();
  }
}

const GITHUB = 'github:';

/** One small request for each github: source; nothing is read or kept. */
async function estimateVerb(
  { run, mine }: RunConfig,
  { positionals }: SourceArguments,
  io: Io,
): Promise<number> {
  const places = positionals.filter((spec) => spec.startsWith(GITHUB));
  if (places.length === 0)
    throw flagError('--estimate', 'a github: source', positionals.join(', '));
  const { endpoint } = mine.github;
  const world = { endpoint, clock: io.clock, signal: io.signal, tell: io.say };
  const sources: Estimate[] = [];
  for (const spec of places) sources.push(await estimateMining(spec.slice(GITHUB.length), world));
  for (const { repository, issues, pulls, requests, seconds } of sources)
    io.print(
      `${repository}: ${issues} issues and ${pulls} pull requests, at least ${requests} requests, about ${seconds} s`,
    );
  io.summarize({ run, verb: 'mine', estimate: true, sources });
  return exitCodes.done;
}

function describeMining(
  { run, mine }: RunConfig,
  { positionals }: SourceArguments,
  io: Io,
): number {
  const { max_commits } = mine;
  io.say(
    `mine would read ${positionals.join(', ')}, at most ${max_commits} commits each, for run ${run}.`,
  );
  io.say('It clones an address once, runs no code of the source and asks no model.');
  io.summarize({ run, verb: 'mine', dry_run: true, sources: positionals, max_commits });
  return exitCodes.done;
}

/** Open and mine every source named; sources of an earlier command are opened again for what follows. */
export async function mineAll(
  run: OpenRun,
  { positionals, repo }: Pick<SourceArguments, 'positionals' | 'repo'>,
  io: Io,
  opened: Opened[],
): Promise<readonly Mined[]> {
  for (const spec of positionals) opened.push(await mineInto(run, { spec, repo }, io));
  const names = new Set(opened.map(({ name }) => name));
  for (const mined of minedSources(run.ledger).filter(({ source }) => !names.has(source.name)))
    opened.push(await openAgain(run, mined, io));
  const all = minedSources(run.ledger);
  for (const { source, funnel, graph, threads } of all) {
    io.progress.line(`mine ${source.name}: ${lineOf(funnel)}; ${graph.edges.length} edges`);
    const lost = lineOf(threads.problems);
    if (lost !== '') io.say(`threads of ${source.name}: ${threads.read} read, left out: ${lost}`);
  }
  return all;
}

/** The mined lists as files, for people and other programs. */
export function writeSeeds(folder: string, mined: readonly Mined[]): void {
  const lines = mined.flatMap(({ seeds }) => seeds.map((seed) => `${JSON.stringify(seed)}\n`));
  const graphs = mined.map(({ graph }) => graph);
  touching(`Writing seeds to ${folder}`, () => {
    writeFileSync(join(folder, 'seeds.jsonl'), lines.join(''));
    writeFileSync(join(folder, 'seed-graph.json'), `${JSON.stringify(graphs, null, 1)}\n`);
  });
}
