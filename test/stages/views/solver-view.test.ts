import { expect, test } from 'vitest';
import { requirementText, solverView } from '../../../stages/views/solver-view.ts';
import { contractFor, keepFiles } from '../../support/contract-case.ts';
import { lruBase, lruContract } from '../../support/lru-fixture.ts';
import { solveBench } from '../../support/solve-bench.ts';

test('a solver sees statement, contract and the base, and not a byte of gold or of a hidden test', () => {
  const { task, ledger } = solveBench();
  const view = solverView(task, ledger.get);
  const all = JSON.stringify(view);
  expect(view.statement).toBe(task.statement);
  expect(view.files.map(({ label }) => label)).toEqual([
    'src/add.ts',
    'src/same.ts',
    'lib/other.js',
  ]);
  expect(all).toContain('a - b');
  expect(all).not.toContain('a + b');
  expect(all).not.toContain('secret');
  expect(view.listing).toBe('test/add.test.ts (a test that the grader replaces)');
});

test('what is no text, too large or a lock file is named and not shown', () => {
  const { task, ledger } = solveBench();
  const tree = keepFiles(ledger, {
    'src/add.ts': 'x\n',
    'a.png': new Uint8Array([0, 1, 2]),
    'latin.txt': new Uint8Array([0xe9, 0x0a]),
    'big.txt': 'x'.repeat(100_000),
    'package-lock.json': '{}\n',
    link: ['link', 'src/add.ts'],
  });
  const { files, listing } = solverView({ ...task, base: { ...task.base, tree } }, ledger.get);
  expect(files.map(({ label }) => label)).toEqual(['src/add.ts']);
  expect(listing.split('\n')).toEqual([
    'a.png (not text)',
    'big.txt (100000 bytes, too large to show)',
    'latin.txt (not text)',
    'link (a link)',
    'package-lock.json (a lock file)',
  ]);
});

test('a file with CRLF line ends says so (C10)', () => {
  const { task, ledger } = solveBench();
  const tree = keepFiles(ledger, { 'src/add.ts': 'a\r\nb\r\n' });
  const { files } = solverView({ ...task, base: { ...task.base, tree } }, ledger.get);
  expect(files[0]).toEqual({
    label: 'src/add.ts (lines end with \\r\\n; write them so)',
    text: 'a\r\nb\r\n',
  });
});

test('what the contract hides stays hidden, even by name', () => {
  const { task, ledger } = solveBench();
  const contract = { ...task.contract, visible: { include: ['**'], exclude: ['lib/**'] } };
  expect(JSON.stringify(solverView({ ...task, contract }, ledger.get))).not.toContain('other.js');
});

test('of a contract with regions the solver sees the present bodies', () => {
  const { task, ledger } = solveBench();
  const tree = keepFiles(ledger, lruBase);
  const contract = contractFor(tree, lruContract);
  const view = solverView({ ...task, contract, base: { ...task.base, tree } }, ledger.get);
  expect(view.regions).toEqual([{ label: 'r1 in src/lru.ts', text: '    return 0;\n' }]);
  expect(view.contract).toContain(
    'region r1 of src/lru.ts: the lines between "// BEGIN EDITABLE get" and "// END EDITABLE get"',
  );
});

test('one requirement reads as title, clauses and names', () => {
  const { task } = solveBench();
  const [requirement] = task.requirements;
  expect(requirement && requirementText(requirement)).toBe(
    'R1. Adding adds\n\n- R1.a: `add` returns the sum.\n\nNames and values to keep to:\n- add',
  );
});
