import { expect, test } from 'vitest';
import type { Repo } from '../../../stages/context.ts';
import { importCommit } from '../../../stages/trees/import-commit.ts';
import { readTree } from '../../../stages/trees/trees.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';

const entries = [
  { path: 'a.txt', mode: '100644', oid: 'o1' },
  { path: 'b.txt', mode: '100644', oid: 'o1' },
  { path: 'run.sh', mode: '100755', oid: 'o1' },
  { path: 'link', mode: '120000', oid: 'o2' },
  { path: 'sub', mode: '160000', oid: 'f'.repeat(40) },
];

function repoOf(): { repo: Repo; read: string[] } {
  const read: string[] = [];
  const refuse = () => Promise.reject(new Error('not asked for'));
  const repo: Repo = {
    commits: () => {
      throw new Error('not asked for');
    },
    tree: () => Promise.resolve(entries),
    blob: (oid) => {
      read.push(oid);
      return Promise.resolve(Buffer.from(`bytes of ${oid}`));
    },
    blame: refuse,
  };
  return { repo, read };
}

test('modes become kinds, and a submodule keeps the commit that it names', async () => {
  const ledger = memoryLedger();
  const tree = readTree(ledger, await importCommit(repoOf().repo, 'head', ledger));
  expect(tree.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'file a.txt',
    'file b.txt',
    'link link',
    'exec run.sh',
    'gitlink sub',
  ]);
  expect(new TextDecoder().decode(ledger.get(tree[4]?.sha256 ?? ''))).toBe('f'.repeat(40));
});

test('an object is read once over several commits, also under another name', async () => {
  const { repo, read } = repoOf();
  const ledger = memoryLedger();
  const known = new Map();
  await importCommit(repo, 'one', ledger, known);
  await importCommit(repo, 'two', ledger, known);
  expect(read).toEqual(['o1', 'o1', 'o2']);
});

test('before the first commit there is nothing', async () => {
  const ledger = memoryLedger();
  expect(readTree(ledger, await importCommit(repoOf().repo, '', ledger))).toEqual([]);
});
