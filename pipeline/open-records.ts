import type { RunConfig } from '../schemas/run-config.ts';
import type { Seed } from '../schemas/seed.ts';
import type { AuthoredDraft } from '../schemas/seed-pack.ts';
import { digestOf } from '../stages/contract/canonical-json.ts';
import { draftId } from '../stages/draft/write-draft.ts';
import { groupsOf } from '../stages/weave/groups-of-seeds.ts';
import { flagError } from './config/usage-problem.ts';
import type { OpenLedger } from './ledger/open.ts';
import type { Mined } from './mined.ts';

type Opening = { readonly record: string; readonly facts: Readonly<Record<string, unknown>> };

/**
 * One record for each draft of the packs, and for each chosen group of seeds one from the history and, where a drafter has a name,
 * one that it is to write; one that is open already stays as it is. `spare`: groups beyond the batch. Forward mode with nothing to draft from is a usage error.
 */
export function openRecords(
  ledger: OpenLedger,
  mined: readonly Mined[],
  { synthesize, roles }: RunConfig,
  spare = 0,
): readonly string[] {
  const { mode, k, seed } = synthesize;
  const batch = synthesize.batch + spare;
  const authored = mode === 'history' ? [] : mined.flatMap(authoredOpenings);
  if (mode === 'forward' && roles.drafter === null && authored.length === 0)
    throw flagError(
      '--mode',
      'a model under roles.drafter, or a pack with drafts',
      '"forward" and neither',
    );
  const share = Math.ceil(batch / Math.max(1, mined.length));
  const isWritten = mode !== 'history' && roles.drafter !== null;
  const groups =
    mode === 'forward' && !isWritten
      ? []
      : mined.flatMap((source) =>
          groupsOf(source.graph, source.seeds, { k, batch: share, seed }).map((group) => ({
            source,
            group,
          })),
        );
  const chosen = groups.slice(0, batch);
  const openings = [
    ...authored,
    ...(mode === 'forward' ? [] : chosen.map(historyOpening)),
    ...(isWritten ? chosen.map(forwardOpening) : []),
  ];
  for (const { record, facts } of openings)
    ledger.note({ kind: 'record-opened', record, key: record, body: { facts } });
  return openings.map(({ record }) => record);
}

type Chosen = { readonly source: Mined; readonly group: readonly string[] };

function historyOpening({ source, group }: Chosen): Opening {
  const seeds = group.map((id) => seedById(source, id));
  const record = `${source.source.name}-h${digestOf(group).slice(0, 8)}`;
  return { record, facts: factsOf(source, seeds, null) };
}

/** The same seeds on the newest commit that was mined, for a drafter to extend. */
function forwardOpening({ source, group }: Chosen): Opening {
  const seeds = group.map((id) => seedById(source, id));
  const base = source.source.head;
  const record = `${source.source.name}-${draftId({ seeds, base })}`;
  return { record, facts: { ...factsOf(source, seeds, null), forward: { base } } };
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
  const quoted = docs.filter(({ doc }) => named.has(doc));
  return { source, spec, seeds, edges, docs: quoted, authored, forward: null };
}

function seedById({ seeds, source }: Mined, id: string): Seed {
  const seed = seeds.find((candidate) => candidate.id === id);
  if (seed === undefined) throw new Error(`${source.name} has no seed "${id}"`);
  return seed;
}
