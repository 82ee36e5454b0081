import type { RunConfig } from '../schemas/run-config.ts';
import type { Seed } from '../schemas/seed.ts';
import type { AuthoredDraft } from '../schemas/seed-pack.ts';
import { digestOf } from '../stages/contract/canonical-json.ts';
import { groupsOf } from '../stages/weave/groups-of-seeds.ts';
import type { OpenLedger } from './ledger/open.ts';
import type { Mined } from './mined.ts';

type Opening = { readonly record: string; readonly facts: Readonly<Record<string, unknown>> };

/** One record for each draft of the packs and each chosen group of seeds; one that is open already stays as it is. */
export function openRecords(
  ledger: OpenLedger,
  mined: readonly Mined[],
  { synthesize }: RunConfig,
): readonly string[] {
  const { mode, batch, k, seed } = synthesize;
  const forward = mode === 'history' ? [] : mined.flatMap(authoredOpenings);
  const share = Math.ceil(batch / Math.max(1, mined.length));
  const history =
    mode === 'forward'
      ? []
      : mined.flatMap((source) =>
          groupsOf(source.graph, source.seeds, { k, batch: share, seed }).map((group) =>
            historyOpening(source, group),
          ),
        );
  const openings = [...forward, ...history.slice(0, batch)];
  for (const { record, facts } of openings)
    ledger.note({ kind: 'record-opened', record, key: record, body: { facts } });
  return openings.map(({ record }) => record);
}

function historyOpening(mined: Mined, group: readonly string[]): Opening {
  const seeds = group.map((id) => seedById(mined, id));
  const record = `${mined.source.name}-h${digestOf(group).slice(0, 8)}`;
  return { record, facts: factsOf(mined, seeds, null) };
}

function authoredOpenings(mined: Mined): Opening[] {
  return mined.drafts.map((draft) => {
    const authored = withSeeds(mined, draft);
    const wanted = new Set(quotesOf(authored).map(({ seed }) => seed));
    const seeds = mined.seeds.filter(({ id }) => wanted.has(id));
    return { record: `${mined.source.name}-${draft.id}`, facts: factsOf(mined, seeds, authored) };
  });
}

const quotesOf = ({ requirements }: AuthoredDraft) =>
  requirements.flatMap(({ clauses }) => clauses.flatMap(({ quotes }) => quotes));

/** Each quote under the seed of its thread; a thread that nobody has delivered on yet is named itself. */
function withSeeds({ seeds }: Mined, draft: AuthoredDraft): AuthoredDraft {
  const seedOf = (doc: string): string => {
    const thread = Number(/^thread:(\d+)/.exec(doc)?.[1]);
    return seeds.find(({ threads }) => threads.includes(thread))?.id ?? `thread-${thread}`;
  };
  const requirements = draft.requirements.map((requirement) => ({
    ...requirement,
    clauses: requirement.clauses.map((clause) => ({
      ...clause,
      quotes: clause.quotes.map((quote) => ({ ...quote, seed: seedOf(quote.doc) })),
    })),
  }));
  return { ...draft, requirements };
}

function factsOf(
  { source, spec, graph, docs }: Mined,
  seeds: readonly Seed[],
  authored: AuthoredDraft | null,
): Opening['facts'] {
  const ids = new Set(seeds.map(({ id }) => id));
  const edges = graph.edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  const named = new Set([
    ...seeds.flatMap(({ statements }) => statements.map(({ doc }) => doc)),
    ...(authored === null ? [] : quotesOf(authored).map(({ doc }) => doc)),
  ]);
  return { source, spec, seeds, edges, docs: docs.filter(({ doc }) => named.has(doc)), authored };
}

function seedById({ seeds, source }: Mined, id: string): Seed {
  const seed = seeds.find((candidate) => candidate.id === id);
  if (seed === undefined) throw new Error(`${source.name} has no seed "${id}"`);
  return seed;
}
