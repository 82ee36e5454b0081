import { expect, test } from 'vitest';
import { checkedLevel } from '../../../stages/contract/assurance.ts';
import { checkConforms, withoutGrammar } from '../../../stages/contract/conforms.ts';
import { contractFor, keepFiles } from '../../support/contract-case.ts';
import { fTail } from '../../support/contract-fixtures.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { noParse } from '../../support/no-parse.ts';

function codesOn(body: string): string[] {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, fTail.base);
  const candidate = keepFiles(ledger, fTail.withBody(body));
  const contract = withoutGrammar(contractFor(base, fTail.contract));
  return checkConforms({ contract, base, candidate, read: ledger.get, parse: noParse }).reasons.map(
    ({ code }) => code,
  );
}

test('without a grammar honest bodies conform, and tokens of protected text are still held', () => {
  expect(codesOn('  r = input + 1;\n')).toEqual([]);
  expect(codesOn('  r = 1; /*\n')[0]).toBe('frame.lexical');
  expect(codesOn('  r = `\n')[0]).toBe('frame.lexical');
});

test('the level says what is not looked at there', () => {
  const contract = contractFor('0'.repeat(64), {
    ...fTail.contract,
    forbidden: { packs: ['ts/exit'] },
  });
  expect(checkedLevel(contract)).toMatch(/^L4 /);
  expect(checkedLevel(withoutGrammar(contract))).toMatch(
    /^L2 \(\+L4; L3 missing: no frame asked for/,
  );
});
