import type { Completion, ModelRequest } from '../../schemas/completion.ts';
import type { Price } from '../../schemas/price.ts';
import type { Usage } from '../../schemas/usage.ts';
import type { Clock, Model } from '../../stages/context.ts';
import { canonicalJson } from '../../stages/contract/canonical-json.ts';
import { Fault } from '../../stages/fault.ts';

/** Caps of one run, as in the run file; null is no cap. */
export type Caps = {
  readonly usd: number | null;
  readonly calls: number | null;
  readonly wall_s: number | null;
};

type Money = { readonly usd: number; readonly calls: number };

type MeterParts = {
  readonly caps: Caps;
  readonly clock: Pick<Clock, 'now'>;
  /** What earlier sittings of this run spent, by the ledger; unknown costs as guessed there. */
  readonly spent: Money;
  /** Cost in US dollars: exact where price and tokens are known, a guess otherwise. */
  readonly guess: (characters: number, price: Price | null, usage: Usage | null) => number;
};

/** Lets a call through, or throws `budget-exhausted` naming the cap that it would break. */
export type Meter = {
  /** Returns how to book the call once it has ended: with its tokens, null for unknown, `nothing` for no answer at all. */
  admit(characters: number, price: Price | null): (ended: Usage | null | 'nothing') => void;
};

const exhausted = (cap: string, detail: string) =>
  new Fault(
    `Budget "budget.${cap}" is used up: ${detail}. Raise it in the run file, then run the same command again to go on.`,
    { code: 'budget-exhausted' },
  );

/** The budget of one run, shared by its models. Calls under way count by their guess, so that parallel ones cannot overshoot. */
export function openMeter({ caps, clock, spent, guess }: MeterParts): Meter {
  const startedAt = clock.now();
  let { usd, calls } = spent;
  let underWay = 0;

  function check(next: number): void {
    const seconds = (clock.now() - startedAt) / 1000;
    if (caps.calls !== null && calls + 1 > caps.calls) {
      throw exhausted('calls', `${calls} of ${caps.calls} calls are made`);
    }
    if (caps.wall_s !== null && seconds >= caps.wall_s) {
      throw exhausted('wall_s', `${Math.floor(seconds)} of ${caps.wall_s} s have passed`);
    }
    const total = usd + underWay;
    if (caps.usd !== null && total + next > caps.usd) {
      const [before, then] = [total.toFixed(4), next.toFixed(4)];
      throw exhausted(
        'usd',
        `${before} of ${caps.usd} USD, unknown costs guessed, and the next call is put at ${then}`,
      );
    }
  }

  return {
    admit(characters, price) {
      const guessed = guess(characters, price, null);
      check(guessed);
      calls += 1;
      underWay += guessed;
      return (ended) => {
        underWay -= guessed;
        usd += ended === 'nothing' ? 0 : guess(characters, price, ended);
      };
    },
  };
}

/** A server that refused, or was not reached, has nothing to charge; of any other failed call the cost is unknown. */
function costNothing(error: unknown): boolean {
  if (!(error instanceof Fault)) return false;
  return error.code === 'model-unavailable' || error.code === 'quota-exhausted';
}

/** What a provider without tokens of its own is charged at: answers from files are free. */
const free: Price = { input: 0, output: 0 };

/** Stops before the call that would break a cap. Lay it inside the retry, so that every request counts. */
export function withBudget(
  model: Model,
  {
    meter,
    price,
    isFree,
  }: { readonly meter: Meter; readonly price: Price | null; readonly isFree: boolean },
): Model {
  return {
    async complete(request: ModelRequest, signal: AbortSignal): Promise<Completion> {
      const book = meter.admit(canonicalJson(request).length, isFree ? free : price);
      try {
        const completion = await model.complete(request, signal);
        book(completion.usage);
        return completion;
      } catch (error) {
        book(costNothing(error) ? 'nothing' : null);
        throw error;
      }
    },
  };
}
