/** @module-tag bwrap */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { variable } from '../../../pipeline/env.ts';
import { openShells } from '../../../pipeline/experiments/shells.ts';
import { chooseSandbox } from '../../../pipeline/sandboxes/choose.ts';
import { readTree } from '../../../stages/contract/conforms.ts';
import { contractFor, keepFiles } from '../../support/contract-case.ts';
import { lruBase } from '../../support/lru-fixture.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';

const { signal } = new AbortController();

async function session(...commands: readonly string[]) {
  const ledger = memoryLedger();
  const base = keepFiles(ledger, lruBase);
  const contract = contractFor(base, { base: { manifest: `sha256:${base}`, discard: ['out/**'] } });
  const options = {
    run: 'shells',
    cache: join(tmpdir(), 'csw-contract-cache'),
    host: { PATH: variable('PATH') ?? '' },
  };
  const shells = openShells(await chooseSandbox('bwrap', options), ledger);
  const said: string[] = [];
  const left = await shells.use({ contract, base }, signal, async (shell) => {
    for (const command of commands)
      said.push(await shell.run(command, command.startsWith('sleep') ? 300 : 20_000));
    return await shell.collect();
  });
  return { said, left, base, ledger };
}

test('a shell that changes nothing leaves the base itself, whatever git says', async () => {
  const { left, base, said } = await session('git log --oneline | wc -l', 'git status --porcelain');
  expect(left).toEqual({ tree: base, discarded: [] });
  expect(said[0]).toMatch(/^1\n/);
});

test('what a shell changes, creates and drops is in the tree it leaves', async () => {
  const { left, ledger } = await session(
    'echo "1;" > src/new.ts && mkdir -p out && echo x > out/log && rm README.md && chmod +x src/lru.ts',
    'ln -sfn v2 docs/latest && git add -A && git commit -q -m mine; echo $?',
  );
  if ('reason' in left) throw new Error(left.reason);
  const tree = readTree(left.tree, ledger.get);
  expect(left.discarded).toEqual(['out/log']);
  expect([tree.has('README.md'), tree.get('src/lru.ts')?.kind, tree.get('third/x')?.kind]).toEqual([
    false,
    'exec',
    'gitlink',
  ]);
  expect(new TextDecoder().decode(ledger.get(tree.get('docs/latest')?.sha256 ?? ''))).toBe('v2');
  expect([...tree.keys()].some((path) => path.startsWith('.git/'))).toBe(false);
});

test.each([
  ['mkfifo src/p', 'tree.kind'],
  ['ln src/clock.ts src/b.ts', 'tree.hardlink'],
  ['chmod u+s src/clock.ts', 'tree.mode'],
])('%s leaves no tree', async (command, code) => {
  const { left } = await session(command);
  expect('reason' in left && left.reason.split(' ')[0]).toBe(code);
});

test('a command out of time is ended, and the shell goes on', async () => {
  const { said } = await session('sleep 30', 'echo a; exit 3');
  expect(said).toEqual(['[out of time]', 'a\n[exit 3]']);
});
