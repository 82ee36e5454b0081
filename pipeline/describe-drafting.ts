import type { ModelConfig, RunConfig } from '../schemas/run-config.ts';
import { viewLimits } from '../stages/draft/drafter-view.ts';
import { mostCorrections } from '../stages/draft/write-draft.ts';
import { viewLimit } from '../stages/views/solver-view.ts';
import type { Io } from './arguments.ts';
import { exitCodes } from './exit-codes.ts';
import { charactersPerToken, guessUsd } from './ledger/money.ts';
import { lookIfThere } from './look-into.ts';
import type { SourceArguments } from './mine-verb.ts';
import { minedSources } from './mined.ts';

/** Plan, then gold with tests, then the corrections; any answer may be asked for twice. */
const QUESTIONS = 2 + mostCorrections;
const MOST_QUESTIONS = 2 * QUESTIONS;

/** Instructions, answers that are shown again, and evidence: what stands in a question beside files and documents. */
const BESIDE = 64 * 1024;

/** What would be drafted and who would be asked, from what is mined already; a source that is not adds the drafts it carries. */
export async function describeDrafting(
  config: RunConfig,
  { out, positionals }: SourceArguments,
  io: Pick<Io, 'say' | 'summarize' | 'clock'>,
): Promise<number> {
  const { mode, batch } = config.synthesize;
  const mined = await lookIfThere({ config, out, clock: io.clock }, (ledger) =>
    ledger === null ? [] : minedSources(ledger),
  );
  const drafts = mined.reduce((sum, source) => sum + source.drafts.length, 0);
  const written = mode === 'history' || config.roles.drafter === null ? 0 : batch;
  const records = (mode === 'history' ? 0 : drafts) + (mode === 'forward' ? 0 : batch) + written;
  const calls = callsOf(config, records, written);
  const asked = askedOf(config, calls);
  const unread =
    positionals.length === 0 ? '' : `, beside the drafts that ${positionals.join(', ')} may carry`;
  io.say(`synthesize would open at most ${records} records${unread}.`);
  io.say(
    `Each costs some tens of test runs. Calls at most: drafter ${calls.drafter_at_most + calls.drafter_solos_at_most}, solo solvers ${calls.solo_at_most}.`,
  );
  if (asked !== null) {
    io.say(
      `The drafter "${asked.name}" reads at most ${asked.input_tokens_at_most} tokens, put at ${asked.usd_at_most.toFixed(2)} USD at most${asked.price_known ? '' : ', its price guessed'}, at ${asked.endpoint}.`,
    );
    io.say(
      'It is sent statements and threads of the seeds, ids of tests, and files of the newest commit, those that the seeds touched first.',
    );
  }
  io.summarize({
    run: config.run,
    verb: 'synthesize',
    dry_run: true,
    records_at_most: records,
    calls,
    drafter: asked,
  });
  return exitCodes.done;
}

type Calls = { readonly drafter_at_most: number; readonly drafter_solos_at_most: number };

function callsOf({ synthesize }: RunConfig, records: number, written: number) {
  const most = Math.max(...synthesize.k);
  return {
    drafter_at_most: written * MOST_QUESTIONS,
    drafter_solos_at_most: written * most * (1 + mostCorrections),
    solo_at_most: records * most * synthesize.solo_solvers.length,
  };
}

/** Whom a drafter's questions go to, with bounds of tokens and money; null where nobody is asked. */
function askedOf({ roles, models, budget }: RunConfig, calls: Calls) {
  const model = models.find(({ name }) => name === roles.drafter);
  if (model === undefined || calls.drafter_at_most === 0) return null;
  const sizes = [
    { count: calls.drafter_at_most, characters: viewLimits.files + viewLimits.docs + BESIDE },
    { count: calls.drafter_solos_at_most, characters: viewLimit + BESIDE },
  ];
  const sum = (each: (characters: number) => number) =>
    sizes.reduce((total, { count, characters }) => total + count * each(characters), 0);
  const isFree = model.provider === 'recorded';
  const usd = isFree ? 0 : sum((characters) => guessUsd(characters, model.price));
  return {
    name: model.name,
    endpoint: endpointOf(model),
    input_tokens_at_most: sum((characters) => Math.ceil(characters / charactersPerToken)),
    usd_at_most: Math.min(usd, budget.usd ?? usd),
    price_known: model.price !== null || isFree,
  };
}

function endpointOf(model: ModelConfig): string {
  switch (model.provider) {
    case 'openai':
      return model.base_url;
    case 'mailbox':
      return `files in ${model.dir}`;
    case 'recorded':
      return `recordings in ${model.pack}`;
  }
}
