import { Fault } from '../../../stages/fault.ts';

const NAMES = ['GITHUB_TOKEN', 'GH_TOKEN'];

/** The token of this user's environment, from where it goes into one header and nowhere else. */
export function tokenFrom(variable: (name: string) => string | null): string {
  const name = NAMES.find((wanted) => variable(wanted) !== null);
  const token = name === undefined ? null : variable(name);
  if (token !== null && /^[\x21-\x7e]+$/u.test(token)) return token;
  const why = token === null ? 'no token is set' : `${name} holds what no token holds`;
  throw new Fault(
    `GitHub failed: ${why}. Set GITHUB_TOKEN to one that may only read; GitHub's interface answers nobody without.`,
    { code: 'token-missing' },
  );
}
