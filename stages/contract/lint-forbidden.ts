import type { Contract } from '../../schemas/contract.ts';
import type { Reason } from '../../schemas/contract-report.ts';
import { packs } from './packs/registry.ts';

const reason = (detail: string): Reason => ({
  code: 'contract.pack-unknown',
  path: null,
  at: null,
  detail,
});

/** Whether a rule of a row of tokens can be met with a word: as one of its choices, or where any word will do. */
function holdsWord(row: string, word: string): boolean {
  return row
    .split(' ')
    .filter((token) => token.length === 1 || !token.startsWith('!'))
    .flatMap((token) => [token, ...token.split('|')])
    .some((choice) => choice === word || choice === '*' || choice === '~name');
}

/** `pack` lifts all of a pack, `pack#word` what a hit with this word broke; a lift that can never act is a slip. */
function isKnownRule({ constructs = [] }: Contract['forbidden'], rule: string): boolean {
  const at = rule.indexOf('#');
  const name = at < 0 ? rule : rule.slice(0, at);
  const pack = Object.hasOwn(packs, name) ? packs[name] : undefined;
  if (name !== 'constructs' && pack === undefined) return false;
  if (at < 0) return true;
  const word = rule.slice(at + 1);
  const rows = pack?.tokens ?? constructs;
  const comments = pack?.comments ?? [];
  return rows.some((row) => holdsWord(row, word)) || comments.some((one) => one.test(word));
}

/** Packs and lifted rules that there are not. */
export function lintForbidden({ forbidden }: Contract): Reason[] {
  const unknown = forbidden.packs.filter((name) => !Object.hasOwn(packs, name));
  const lifted = (forbidden.allow ?? []).filter(({ rule }) => !isKnownRule(forbidden, rule));
  return [
    ...unknown.map((name) => reason(`"${name}" is no pack`)),
    ...lifted.map(({ rule }) => reason(`"${rule}" lifts no rule that there is`)),
  ];
}
