import { z } from 'zod';
import { Digest } from '../schemas/digest.ts';
import { EnvironmentSpec } from '../schemas/environment.ts';
import { Seed, SeedGraph } from '../schemas/seed.ts';
import { AuthoredDraft } from '../schemas/seed-pack.ts';
import { Source } from '../schemas/source.ts';
import type { Ledger } from '../stages/context.ts';
import type { OpenLedger } from './ledger/open.ts';

const Docs = z.array(z.strictObject({ doc: z.string(), sha256: Digest }));

/** Body of `source-mined`, key the source's name: what was found, with its lists as blobs. */
const SourceMined = z.strictObject({
  /** As the user named it, so that it can be opened again. */
  origin: z.strictObject({
    spec: z.string(),
    threads: z.string().nullable(),
    repo: z.string().nullable(),
  }),
  source: Source,
  spec: EnvironmentSpec,
  seeds: Digest,
  graph: Digest,
  docs: Digest,
  drafts: Digest,
  /** Threads read and lines left out, by reason. */
  threads: z.strictObject({
    read: z.number().int(),
    problems: z.record(z.string(), z.number().int()),
  }),
  funnel: z.record(z.string(), z.number().int()),
});
type SourceMined = z.infer<typeof SourceMined>;

/** What a mined source holds, read back from the ledger. */
export type Mined = {
  readonly origin: SourceMined['origin'];
  readonly source: Source;
  readonly spec: EnvironmentSpec;
  readonly seeds: readonly Seed[];
  readonly graph: SeedGraph;
  readonly docs: z.infer<typeof Docs>;
  readonly drafts: readonly AuthoredDraft[];
  readonly threads: SourceMined['threads'];
  readonly funnel: Readonly<Record<string, number>>;
};

/** Every source that this run has mined, in the order it was. */
export function minedSources(ledger: OpenLedger): readonly Mined[] {
  return ledger.events('source-mined').map(({ body }) => {
    const { origin, source, spec, threads, funnel, ...lists } = SourceMined.parse(body);
    const list = <T>(schema: z.ZodType<T>, sha256: string): T =>
      schema.parse(JSON.parse(new TextDecoder().decode(ledger.get(sha256))));
    return {
      origin,
      source,
      spec,
      threads,
      funnel,
      seeds: list(z.array(Seed), lists.seeds),
      graph: list(SeedGraph, lists.graph),
      docs: list(Docs, lists.docs),
      drafts: list(z.array(AuthoredDraft), lists.drafts),
    };
  });
}

/** Note what a source gave; a source mined before stays as it was. */
export function noteMined(ledger: OpenLedger, mined: Mined): void {
  const { origin, source, spec, threads, funnel } = mined;
  const keep = (value: unknown): string => putJson(ledger, value);
  const body: SourceMined = {
    origin,
    source,
    spec,
    threads,
    funnel: { ...funnel },
    seeds: keep(mined.seeds),
    graph: keep(mined.graph),
    docs: keep(mined.docs),
    drafts: keep(mined.drafts),
  };
  ledger.note({ kind: 'source-mined', record: null, key: source.name, body });
}

const putJson = (ledger: Ledger, value: unknown): string =>
  ledger.put(new TextEncoder().encode(JSON.stringify(value)));
