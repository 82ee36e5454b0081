/** @module-tag bwrap */
import { expect, test } from 'vitest';
import { readTree } from '../../../stages/contract/conforms.ts';
import { lruBase } from '../../support/lru-fixture.ts';
import { openBox } from '../../support/solver-box.ts';

/** Under `measure` nothing is held, so that what a solver does against its contract can be seen. */
async function session(...commands: readonly string[]) {
  const box = await openBox({
    files: lruBase,
    contract: {
      base: { manifest: `sha256:${'0'.repeat(64)}`, discard: ['out/**'] },
      order: 'measure',
    },
  });
  const said: string[] = [];
  await box.use(async (shell) => {
    for (const command of commands)
      said.push(await shell.run(command, command.startsWith('sleep') ? 300 : 20_000));
  });
  const [left, ...more] = box.left;
  if (left === undefined || more.length > 0) throw new Error('expected one tree');
  return { said, left, base: box.base, ledger: box.ledger };
}

test('a shell that changes nothing leaves the base itself, whatever git says', async () => {
  const { left, base, said } = await session('git log --oneline | wc -l', 'git status --porcelain');
  expect(left).toEqual({ tree: base, discarded: [] });
  expect(said[0]).toMatch(/^1\n/);
});

test('what a shell changes, creates and drops is in the tree it leaves', async () => {
  const { left, ledger } = await session(
    'echo "1;" > src/new.ts && mkdir -p out && echo x > out/log && rm README.md && chmod +x src/lru.ts',
    'ln -sfn v2 docs/latest && git add -A && git -c user.name=a -c user.email=a commit -q -m mine; echo $?',
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
