import type { Check } from './host-checks.ts';

type Variable = (name: string) => string | null;

const ANSWER_MS = 10_000;
const REMEDY =
  'Make a token that may only read: a fine-grained one for the repositories in question, or a classic one without scopes.';

/** Scopes of classic tokens that only read; everything else could change something, and nothing here does. */
const READS = /^(public_repo:read|read:\w+|user:email|)$/;

const check = (state: Check['state'], found: string, remedy: string | null = null): Check => ({
  name: 'github token',
  state,
  found,
  remedy,
});

/**
 * The GitHub token of this user, if any, and what it may do. Nobody is asked unless `isLive`; then one call that counts against no
 * quota goes to GITHUB_API_URL. The token itself is never told.
 */
export async function checkGithub(
  variable: Variable,
  isLive: boolean,
  signal: AbortSignal,
): Promise<Check> {
  const name = ['GITHUB_TOKEN', 'GH_TOKEN'].find((wanted) => variable(wanted) !== null);
  if (name === undefined) return check('ok', 'none set, none needed: threads are read from files');
  if (!isLive) return check('ok', `${name} is set; what it may do is asked with --live`);
  const api = variable('GITHUB_API_URL') ?? 'https://api.github.com';
  try {
    const answer = await fetch(`${api}/rate_limit`, {
      headers: { authorization: `Bearer ${variable(name)}`, accept: 'application/json' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    await answer.body?.cancel();
    return judged(name, api, answer);
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    const why = error.cause instanceof Error ? error.cause.message : error.message;
    return check('warn', `${name}: ${api} does not answer (${why})`, 'Check the network.');
  }
}

function judged(name: string, api: string, { status, headers }: Response): Check {
  if (status === 401) {
    return check('warn', `${name} is refused by ${api}`, `Renew it, or unset ${name}.`);
  }
  if (status !== 200) {
    return check('warn', `${name}: ${api} answers ${status}`, 'Look at its status and try again.');
  }
  const scopes = headers.get('x-oauth-scopes');
  if (scopes === null) return check('ok', `${name} is accepted, a token without scopes`);
  const wide = scopes.split(/,\s*/).filter((scope) => !READS.test(scope));
  if (wide.length === 0) return check('ok', `${name} is accepted, scopes: ${scopes || 'none'}`);
  return check('warn', `${name} may do more than read: ${wide.join(', ')}`, REMEDY);
}
