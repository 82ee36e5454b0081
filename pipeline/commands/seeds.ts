import type { Seed } from '../../schemas/seed.ts';
import { graphDot, graphSvg } from '../../stages/weave/graph-text.ts';
import { defineCommand, type Io } from '../arguments.ts';
import { choices } from '../config/nearest.ts';
import { flagError } from '../config/usage-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { openLedger } from '../ledger/open.ts';
import { type Mined, minedSources } from '../mined.ts';
import { existingRun } from '../run-folder.ts';

/** Looks at what was mined. */
export const seeds = defineCommand({
  name: 'seeds',
  summary: 'list or show mined seeds, or their graph',
  usage:
    'pipeline seeds list [--usable] [--code CODE] | show ID | graph [--format FORM] [--run NAME]',
  example: 'pipeline seeds graph --run demo --format svg > seeds.svg',
  options: {
    usable: { kind: 'flag', help: 'Only seeds that can be woven (list).' },
    code: { kind: 'text', value: 'CODE', help: 'Only seeds refused for this reason (list).' },
    format: {
      kind: 'text',
      value: 'FORM',
      oneOf: ['dot', 'svg', 'json'],
      help: 'dot (default), svg or json (graph).',
    },
  },
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
      if (what === 'list') return list(wanted(all, args), io);
      if (what === 'graph') return graph(mined, args.format, io);
      if (what === 'show') return show(all, id, io);
      throw flagError('WHAT', choices(what, ['list', 'show', 'graph']), `"${what}"`);
    } finally {
      ledger.close();
    }
  },
});

const wanted = (
  all: readonly Seed[],
  { usable, code }: { usable: boolean; code: string | undefined },
) =>
  all.filter(
    ({ rejections: [first] }) =>
      (!usable || first === undefined) && (code === undefined || first?.code === code),
  );

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

const forms = { dot: graphDot, svg: graphSvg } as const;

function graph(mined: readonly Mined[], format: string | undefined, io: Io): number {
  const graphs = mined.map((source) => source.graph);
  const all = mined.flatMap((source) => source.seeds);
  if (format === 'json') io.print(JSON.stringify(graphs, null, 1));
  else io.print(forms[format === 'svg' ? 'svg' : 'dot'](graphs, all));
  io.summarize({ verb: 'seeds graph', graphs });
  return exitCodes.done;
}
