import type { z } from 'zod';
import type { Clock } from '../../../stages/context.ts';
import { Fault } from '../../../stages/fault.ts';
import { type Limit, Limited } from './answers.ts';
import { type Delay, waitFor } from './limits.ts';
import type { PartError, Send, Wired } from './wire.ts';

/** Data that fits its schema, with the parts that the host could not read. */
type Answer<T> = { readonly data: T; readonly errors: readonly PartError[] };

/** `null`: the host cannot bear a request of this size; ask for less. */
type Ask = <T>(query: string, variables: object, schema: z.ZodType<T>) => Promise<Answer<T> | null>;

type World = {
  readonly send: Send;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
};

export type Host = {
  readonly ask: Ask;
  /** Wait before the n-th try (from 0) of a request that failed. Throws `host-unavailable` when there were enough. */
  backOff(tries: number, why: string): Promise<void>;
  /** Requests sent so far. */
  sent(): number;
};

const MOST_TRIES = 8;
/** Kept for others who use the same token. */
const RESERVE = 10;

const refused = (why: string) =>
  new Fault(
    `GitHub failed: ${why}. Set GITHUB_TOKEN to a token that may read the repository: a fine-grained one for it, or a classic one with "repo" for a private one.`,
    { code: 'token-refused' },
  );

const hidden = () =>
  new Fault(
    'GitHub failed: there is no such repository, or the token may not see it. Check owner/name and the access of GITHUB_TOKEN.',
    { code: 'source-hidden' },
  );

/** What no later try can mend. */
function hopeless({ status, types, message }: Extract<Wired, { kind: 'failed' }>): Fault | null {
  if (status === 401) return refused('the token is not accepted');
  if (types.includes('INSUFFICIENT_SCOPES'))
    return refused(`the token may not read this: ${message}`);
  if (types.includes('FORBIDDEN') || status === 403) return refused(message);
  if (types.includes('NOT_FOUND') || status === 404) return hidden();
  return null;
}

/** One client of the host: it waits where it is told to, and takes nothing for an answer that is none. */
export function openHost({ send, clock, signal, tell }: World): Host {
  let [count, limit, unlimited] = [0, null as Limit | null, 0];

  async function rest({ ms, why }: Delay): Promise<void> {
    const until = new Date(clock.now() + ms).toISOString().slice(11, 19);
    tell(
      `GitHub: ${why}; waiting ${Math.ceil(ms / 1000)} s, until ${until} UTC. Ctrl-C keeps what was read.`,
    );
    await clock.sleep(ms, signal);
  }

  async function spare(): Promise<void> {
    if (limit === null || limit.remaining >= Math.max(RESERVE, limit.cost)) return;
    const ms = Date.parse(limit.resetAt) - clock.now();
    limit = null;
    if (ms > 0) await rest({ ms: ms + 1000, why: 'the hourly limit is used up' });
  }

  async function once(query: string, variables: object): Promise<Wired> {
    for (;;) {
      await spare();
      count += 1;
      const wired = await send(query, variables, signal);
      const delay = wired.kind === 'failed' ? waitFor(wired, clock.now(), unlimited) : null;
      if (delay === null) {
        unlimited = 0;
        return wired;
      }
      unlimited += 1;
      await rest(delay);
    }
  }

  return {
    sent: () => count,
    async ask(query, variables, schema) {
      const wired = await once(query, variables);
      if (wired.kind === 'failed') {
        const fault = hopeless(wired);
        if (fault !== null) throw fault;
        return null;
      }
      limit = Limited.safeParse(wired.data).data?.rateLimit ?? limit;
      const parsed = schema.safeParse(wired.data);
      return parsed.success ? { data: parsed.data, errors: wired.errors } : null;
    },
    async backOff(tries, why) {
      if (tries >= MOST_TRIES)
        throw new Fault(
          `GitHub failed: ${why}, ${MOST_TRIES} times in a row. Run the same command later: it goes on from the last page.`,
          { code: 'host-unavailable', retryable: true },
        );
      await rest({ ms: Math.min(60_000, 1000 * 2 ** tries), why });
    },
  };
}
