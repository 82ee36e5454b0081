import type { Seed, SeedGraph } from '../../schemas/seed.ts';
import { defineCommand, type Io } from '../arguments.ts';
import { choices } from '../config/nearest.ts';
import { flagError } from '../config/usage-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { openLedger } from '../ledger/open.ts';
import { minedSources } from '../mined.ts';
import { existingRun } from '../run-folder.ts';

/** Looks at what was mined. */
export const seeds = defineCommand({
  name: 'seeds',
  summary: 'list or show mined seeds, or their graph',
  usage: 'pipeline seeds list | show ID | graph [--run NAME]',
  example: 'pipeline seeds graph --run demo > seeds.dot',
  options: {},
  positionals: [
    { name: 'WHAT', help: 'list, show or graph' },
    { name: 'ID', help: 'a seed', isOptional: true },
  ],
  async run(args, io) {
    const [what = '', id = ''] = args.positionals;
    const { folder } = existingRun(args);
    const ledger = openLedger({ folder, mode: 'read', clock: io.clock });
    try {
      const mined = minedSources(ledger);
      const all = mined.flatMap((source) => source.seeds);
      if (what === 'list') return list(all, io);
      if (what === 'graph')
        return graph(
          mined.map((source) => source.graph),
          all,
          io,
        );
      if (what === 'show') return show(all, id, io);
      throw flagError('WHAT', choices(what, ['list', 'show', 'graph']), `"${what}"`);
    } finally {
      ledger.close();
    }
  },
});

function list(all: readonly Seed[], io: Io): number {
  for (const { id, title, rejections } of all)
    io.print(`${id}  ${rejections[0]?.code ?? 'usable'}  ${title}`);
  io.summarize({
    verb: 'seeds list',
    seeds: all.map(({ id, rejections }) => ({ id, rejection: rejections[0]?.code ?? null })),
  });
  return exitCodes.done;
}

function show(all: readonly Seed[], id: string, io: Io): number {
  const seed = all.find((candidate) => candidate.id === id);
  if (seed === undefined)
    throw flagError(
      'ID',
      choices(
        id,
        all.map((known) => known.id),
      ),
      `"${id}"`,
    );
  io.print(JSON.stringify(seed, null, 2));
  io.summarize({ verb: 'seeds show', seed });
  return exitCodes.done;
}

/** The graph in DOT, with the kinds of each edge as its label. */
function graph(graphs: readonly SeedGraph[], all: readonly Seed[], io: Io): number {
  const titles = new Map(all.map(({ id, title }) => [id, title]));
  const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  io.print('graph seeds {');
  for (const { seeds: ids, edges } of graphs) {
    for (const id of ids) io.print(`  ${quoted(id)} [label=${quoted(titles.get(id) ?? id)}];`);
    for (const { from, to, kind, weight } of edges)
      io.print(
        `  ${quoted(from)} -- ${quoted(to)} [label=${quoted(kind)}, weight=${Math.round(weight)}];`,
      );
  }
  io.print('}');
  io.summarize({ verb: 'seeds graph', graphs });
  return exitCodes.done;
}
