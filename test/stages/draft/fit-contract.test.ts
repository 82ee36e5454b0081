import { describe, expect, test } from 'vitest';
import { checkConforms } from '../../../stages/contract/conforms.ts';
import { draftContract } from '../../../stages/contract/draft-contract.ts';
import { fitContract } from '../../../stages/draft/fit-contract.ts';
import { changedPaths, readTree } from '../../../stages/trees/trees.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { noParse } from '../../support/no-parse.ts';
import { keepTree } from '../../support/test-run.ts';

const before = { 'src/a.py': 'a = 1\n', 'src/b.py': 'b = 1\n', 'setup.py': 'setup()\n' };
const files = (count: number, text = 'x = 1\n') =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/new${at}.py`, text]));

function fitted(after: Readonly<Record<string, string>>) {
  const ledger = memoryLedger();
  const [base, gold] = [keepTree(ledger, before), keepTree(ledger, after)];
  const { contract } = draftContract({
    id: 'fit',
    base,
    entries: readTree(ledger, base),
    goldPaths: [...changedPaths(ledger, base, gold)],
    testGlobs: ['tests/**'],
    sourceGlobs: ['src/**'],
    regions: [],
  });
  const read = ledger.get;
  const fit = fitContract(contract, { base, gold, read, parse: noParse });
  const step = { contract: fit, base, candidate: gold, read, parse: noParse };
  return { contract, fit, report: checkConforms(step) };
}

describe('a contract drafted around a merged change', () => {
  test('stays as it is where the change conforms', () => {
    const { contract, fit } = fitted({ ...before, 'src/a.py': 'a = 2\n' });
    expect(fit).toEqual(contract);
  });

  test.each([
    ['more new files than usual', { ...before, ...files(5) }],
    ['a large new file', { ...before, ...files(1, `${'x'.repeat(200)}\n`.repeat(600)) }],
    ['a file that goes', { 'src/a.py': 'a = 2\n', 'setup.py': 'setup()\n' }],
    ['an exit that it needs', { ...before, 'src/a.py': 'import sys\n\nsys.exit(1)\n' }],
  ])('has room for %s', (_, after) => {
    const { report } = fitted(after);
    expect(report.reasons).toEqual([]);
  });

  test('does not tell how many new files the change has, and keeps the other packs', () => {
    const { fit } = fitted({ ...before, ...files(5, 'import sys\n\nsys.exit(1)\n') });
    expect(fit.create.map(({ max_files }) => max_files)).toEqual([10]);
    expect(fit.forbidden.packs).toEqual(['py/skip', 'py/reflect', 'py/env']);
  });

  test('gives no name away that no contract may', () => {
    const { report } = fitted({ 'src/a.py': 'a = 2\n', 'src/b.py': 'b = 1\n' });
    expect(report.reasons).toMatchObject([{ code: 'path.removed', path: 'setup.py' }]);
  });
});
