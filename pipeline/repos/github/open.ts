import type { Clock } from '../../../stages/context.ts';
import { flagError } from '../../config/usage-problem.ts';
import { variable } from '../../env.ts';
import { Counts } from './answers.ts';
import { MOST_THREADS } from './collect.ts';
import { type Host, openHost } from './host.ts';
import { countQuery } from './queries.ts';
import { tokenFrom } from './token.ts';
import { openWire } from './wire.ts';

const PUBLIC = 'https://api.github.com';

type World = {
  /** Address of the interface; that of github.com where there is none. */
  readonly endpoint?: string | null | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
};

/** Owner and name of `owner/name`. */
export function placeOf(place: string): { readonly owner: string; readonly name: string } {
  const [, owner, name] = /^([A-Za-z0-9][A-Za-z0-9-]{0,38})\/([\w.-]{1,100})$/u.exec(place) ?? [];
  if (owner !== undefined && name !== undefined) return { owner, name };
  throw flagError('SOURCE', 'github:owner/name', `"github:${place}"`);
}

/** The host under the user's token. Throws the Fault `token-missing` before anything is asked. */
export function openGithub({ endpoint, ...world }: World): Host {
  const address = endpoint ?? variable('GITHUB_API_URL') ?? PUBLIC;
  return openHost({ ...world, send: openWire(address, tokenFrom(variable)) });
}

export type Estimate = {
  readonly repository: string;
  readonly issues: number;
  readonly pulls: number;
  readonly requests: number;
  readonly seconds: number;
};

/** A page takes the host about so much longer than a count. */
const PAGE_FACTOR = 4;

/** What a mining would ask for. Threads with more than a page of comments cost one request more each, and are not counted. */
export async function estimateMining(place: string, world: World): Promise<Estimate> {
  const host = openGithub(world);
  const started = world.clock.now();
  for (let tries = 0; ; tries++) {
    const answer = await host.ask(countQuery, placeOf(place), Counts);
    if (answer === null) {
      await host.backOff(tries, 'no whole answer');
      continue;
    }
    const { nameWithOwner, issues, pullRequests } = answer.data.repository;
    const [one, two] = [issues.totalCount, pullRequests.totalCount];
    const requests = Math.ceil(one / MOST_THREADS) + Math.ceil(two / MOST_THREADS);
    const each = Math.max(0.1, (world.clock.now() - started) / 1000);
    const seconds = Math.ceil(requests * each * PAGE_FACTOR);
    return { repository: nameWithOwner, issues: one, pulls: two, requests, seconds };
  }
}
