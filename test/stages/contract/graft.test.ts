import { expect, test } from 'vitest';
import { readTree } from '../../../stages/contract/conforms.ts';
import { graft } from '../../../stages/contract/graft.ts';
import { contractFor, keepFiles } from '../../support/contract-case.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';

test('only authorised paths come from the candidate, all others from the base', () => {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, {
    'src/a.ts': '1',
    'src/old.ts': '2',
    'test/a.ts': '3',
    'package.json': '{}',
  });
  const candidate = keepFiles(ledger, {
    'src/a.ts': 'new',
    'src/b.ts': 'new',
    'conftest.py': 'new',
    'test/a.ts': 'weak',
  });
  const contract = contractFor(base, {
    editable: [
      { file: 'src/a.ts', whole_file: true },
      { file: 'package.json', whole_file: true },
    ],
    create: [{ glob: 'src/*.ts' }, { glob: '*.py' }],
    delete: ['src/old.ts'],
  });
  const grafted = graft(contract, readTree(base, ledger.get), readTree(candidate, ledger.get));
  const texts = grafted.map(({ path, sha256 }) => [
    path,
    new TextDecoder().decode(ledger.get(sha256)),
  ]);
  expect(Object.fromEntries(texts)).toEqual({
    'src/a.ts': 'new',
    'src/b.ts': 'new',
    'test/a.ts': '3',
    'package.json': '{}',
  });
});

test('a path that may not go stays, and one that may not come does not', () => {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, { 'a.ts': '1', 'b.ts': '2', 'package.json': '{}' });
  const candidate = keepFiles(ledger, { 'b.ts': 'changed', 'src/c.ts': 'new', 'd.ts': 'new' });
  const contract = contractFor(base, {
    create: [{ glob: 'src/*.ts' }],
    delete: ['b.ts', 'package.json'],
  });
  const grafted = graft(contract, readTree(base, ledger.get), readTree(candidate, ledger.get));
  expect(grafted.map(({ path }) => path)).toEqual(['a.ts', 'b.ts', 'package.json', 'src/c.ts']);
  expect(new TextDecoder().decode(ledger.get(grafted[1]?.sha256 ?? ''))).toBe('2');
});
