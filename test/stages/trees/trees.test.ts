import { expect, test } from 'vitest';
import {
  boxFiles,
  changedPaths,
  changeTree,
  keepFile,
  readPath,
} from '../../../stages/trees/trees.ts';
import { keepFiles } from '../../support/contract-case.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';

const text = (bytes: Uint8Array | null) =>
  bytes === null ? null : new TextDecoder().decode(bytes);

test('a tree with other entries keeps the rest and is another tree', () => {
  const ledger = memoryLedger();
  const tree = keepFiles(ledger, { a: '1', b: ['exec', '2'], c: '3' });
  const changed = changeTree(ledger, tree, [keepFile(ledger, 'b', Buffer.from('two'))], ['c']);
  expect(['a', 'b', 'c'].map((path) => text(readPath(ledger, changed, path)))).toEqual([
    '1',
    'two',
    null,
  ]);
  expect(changedPaths(ledger, tree, changed)).toEqual(['b', 'c']);
  expect(changeTree(ledger, tree, [])).toBe(tree);
});

test('an executable bit alone is a change', () => {
  const ledger = memoryLedger();
  const [plain, exec] = [keepFiles(ledger, { a: '1' }), keepFiles(ledger, { a: ['exec', '1'] })];
  expect(changedPaths(ledger, plain, exec)).toEqual(['a']);
});

test('a box gets files and links, no submodules; a link has no bytes to read', () => {
  const ledger = memoryLedger();
  const tree = keepFiles(ledger, { f: 'x', l: ['link', 'f'], s: ['gitlink', 'a'.repeat(40)] });
  expect(boxFiles(ledger, tree).map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'file f',
    'link l',
  ]);
  expect(readPath(ledger, tree, 'l')).toBeNull();
  expect(readPath(ledger, tree, 'none')).toBeNull();
});
