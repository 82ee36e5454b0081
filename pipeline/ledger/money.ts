import type { Role } from '../../schemas/completion.ts';
import type { LedgerEvent } from '../../schemas/event.ts';
import type { Price } from '../../schemas/price.ts';
import type { Usage } from '../../schemas/usage.ts';
import { ModelFailed, ModelReturned, ModelSent } from './model-events.ts';

/**
 * One call to a model. `usd` is null where the price or the tokens are unknown, which is not 0.
 * `open`: sent and never returned, so its cost has no end that we know of.
 */
type MoneyLine = {
  readonly key: string;
  readonly record: string | null;
  readonly role: Role;
  readonly entrant: string;
  readonly subject: string;
  readonly state: 'returned' | 'failed' | 'open';
  readonly usage: Usage | null;
  readonly usd: number | null;
  /** What the budget counts: `usd` where it is known, a guess on the dear side otherwise. */
  readonly estimateUsd: number;
};

/** A sum of lines. `usd` adds only what is known; `costComplete` says whether that is all. */
type Sum = {
  readonly calls: number;
  readonly usd: number;
  readonly costComplete: boolean;
  readonly estimateUsd: number;
};

/** The ledger of money. `total` equals the sum of the lines, and so does each of its three cuts. */
export type Money = {
  readonly lines: readonly MoneyLine[];
  readonly total: Sum;
  readonly byRole: Readonly<Record<string, Sum>>;
  readonly byEntrant: Readonly<Record<string, Sum>>;
  readonly byRecord: Readonly<Record<string, Sum>>;
};

/** What a model of unknown price is guessed to cost, so that a cap stops too early rather than too late. */
const GUESSED_PRICE: Price = { input: 5, output: 25 };

/** A request or answer of unknown length in tokens is guessed at this many characters each, short of the usual four. */
export const charactersPerToken = 3;

const GUESSED_OUTPUT = 4000;

const MILLION = 1_000_000;
const free: Price = { input: 0, output: 0 };

function costOf(usage: Usage, price: Price): number | null {
  if (usage.input === null || usage.output === null) return null;
  const cached = Math.min(usage.cachedInput ?? 0, usage.input);
  const input = (usage.input - cached) * price.input;
  const fromCache = cached * (price.cached_input ?? price.input);
  return (input + fromCache + usage.output * price.output) / MILLION;
}

/** What one call would cost by a guess; the length of its request is known, of its answer nothing. */
export function guessUsd(
  characters: number,
  price: Price | null,
  usage: Usage | null = null,
): number {
  const input = usage?.input ?? Math.ceil(characters / charactersPerToken);
  const output = usage?.output ?? GUESSED_OUTPUT;
  const tokens = { input, output, cachedInput: usage?.cachedInput ?? null, reasoning: null };
  return costOf(tokens, price ?? GUESSED_PRICE) ?? 0;
}

type Ends = {
  readonly returned: ReadonlyMap<string, ModelReturned>;
  readonly failed: ReadonlyMap<string, ModelFailed>;
};

function endsOf(events: readonly LedgerEvent[]): Ends {
  const returned = new Map<string, ModelReturned>();
  const failed = new Map<string, ModelFailed>();
  for (const { kind, body } of events) {
    if (kind === 'model-returned') {
      const end = ModelReturned.parse(body);
      returned.set(`${end.request}:${end.call}`, end);
    }
    if (kind === 'model-failed') {
      const end = ModelFailed.parse(body);
      failed.set(`${end.request}:${end.call}`, end);
    }
  }
  return { returned, failed };
}

/** A recorded or scripted answer costs this run nothing, and that is known. */
const isFree = ({ provider }: ModelSent) => provider === 'recorded' || provider === 'scripted';

function lineOf(event: LedgerEvent, ends: Ends, prices: Prices): MoneyLine {
  const sent = ModelSent.parse(event.body);
  const answer = ends.returned.get(event.key)?.completion;
  const failure = ends.failed.get(event.key);
  const usage = answer?.usage ?? failure?.usage ?? null;
  const price = isFree(sent) ? free : (sent.price ?? prices[sent.entrant] ?? null);
  const usd = isFree(sent) ? 0 : usage && price && costOf(usage, price);
  const { role, entrant, subject } = sent;
  return {
    key: event.key,
    record: event.record,
    role,
    entrant,
    subject,
    state: answer ? 'returned' : failure ? 'failed' : 'open',
    usage,
    usd,
    estimateUsd: usd ?? guessUsd(sent.characters, price, usage),
  };
}

const nothing: Sum = { calls: 0, usd: 0, costComplete: true, estimateUsd: 0 };

const plus = (sum: Sum, line: MoneyLine): Sum => ({
  calls: sum.calls + 1,
  usd: sum.usd + (line.usd ?? 0),
  costComplete: sum.costComplete && line.usd !== null,
  estimateUsd: sum.estimateUsd + line.estimateUsd,
});

function cutBy(lines: readonly MoneyLine[], name: (line: MoneyLine) => string) {
  const sums: Record<string, Sum> = {};
  for (const line of lines) sums[name(line)] = plus(sums[name(line)] ?? nothing, line);
  return sums;
}

/** Prices by entrant, as the run file states them now; a line's own price, if it has one, holds instead. */
export type Prices = Readonly<Record<string, Price | null>>;

/** What was spent, one line per call that was ever sent. Costs under no record are summed as `-`. */
export function moneyOf(events: readonly LedgerEvent[], prices: Prices = {}): Money {
  const ends = endsOf(events);
  const lines = events
    .filter(({ kind }) => kind === 'model-sent')
    .map((event) => lineOf(event, ends, prices));
  return {
    lines,
    total: lines.reduce(plus, nothing),
    byRole: cutBy(lines, ({ role }) => role),
    byEntrant: cutBy(lines, ({ entrant }) => entrant),
    byRecord: cutBy(lines, ({ record }) => record ?? '-'),
  };
}
