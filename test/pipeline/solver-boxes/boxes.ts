import { describe, expect, test } from 'vitest';
import { proveFresh } from '../../../pipeline/solver-boxes/history.ts';
import { useSolverBox } from '../../../pipeline/solver-boxes/use.ts';
import type { Environment } from '../../../schemas/environment.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import type { Shell } from '../../../stages/controller/ports.ts';
import { Fault } from '../../../stages/fault.ts';
import { contractFor, keepFiles } from '../../support/contract-case.ts';
import { memoryLedger } from '../../support/memory-ledger.ts';
import { leftText, openBox, type Place, sandboxFor } from '../../support/solver-box.ts';
import { specFor } from '../../support/test-run.ts';

const PATIENCE = 60_000;
const RUN_MS = 20_000;
const base = {
  'src/a.ts': 'a\n',
  'src/b.ts': 'b\n',
  'src/deep/c.ts': 'c\n',
  'test/a.test.ts': 'asks a\n',
  'package.json': '{}\n',
};
const editsA = { editable: [{ file: 'src/a.ts', whole_file: true as const }] };
const hidden = 'test/hidden.test.ts';

const lines = async (shell: Shell, command: string) =>
  (await shell.run(command, RUN_MS)).split('\n').slice(0, -1);

function history(place: Place): void {
  test('one commit and nothing else: no other object, ref, reflog, tag, remote or alternate', async () => {
    const box = await openBox({ place, files: base, contract: editsA });
    const ask = `git rev-list --all --count; git for-each-ref --format='%(refname)'; git tag; git remote; git reflog | wc -l
      ls .git/objects/info .git/objects/pack .git/packed-refs .git/logs 2>/dev/null | grep -v ':$' | grep -c .
      echo $(git cat-file --batch-all-objects --batch-check | wc -l) $(git rev-list --objects HEAD | wc -l)`;
    const said = await box.use((shell) => lines(shell, ask));
    expect(said).toEqual(['1', 'refs/heads/main', '0', '0', '10 10']);
  });

  test('the gold commit, its tree and its files are not there to be asked for', async () => {
    const gold = { ...base, 'src/a.ts': 'gold\n' };
    const there = await openBox({ place, files: gold, contract: editsA });
    const names = await there.use((shell) =>
      lines(shell, 'git rev-parse HEAD HEAD^{tree} HEAD:src/a.ts'),
    );
    expect(names).toHaveLength(3);
    const box = await openBox({ place, files: base, contract: editsA });
    const asked = names.map((name) => `git cat-file -e ${name}; echo $?`).join('; ');
    const said = await box.use((shell) => lines(shell, `(${asked}) 2>/dev/null`));
    expect(said).toHaveLength(3);
    expect(said).not.toContain('0');
  });

  test.each([
    ['an object that no commit reaches', 'echo gold | git hash-object -w --stdin', 'objects'],
    ['a tag', 'git tag before', 'under 2 refs'],
    [
      'a remote',
      'git config remote.up.url https://example.invalid/x && git config --get-regexp .',
      'config',
    ],
    [
      'an alternate',
      'mkdir -p .git/objects/info && echo /tmp > .git/objects/info/alternates',
      'objects/info/alternates',
    ],
    ['a packed ref', 'git pack-refs --all', 'packed-refs'],
  ])('%s is found by the proof', async (_, spoil, found) => {
    const ledger = memoryLedger();
    const prepared = await (await sandboxFor(place)).prepare(specFor('unittest'), [], signal());
    if (!prepared.ready) throw new Error(prepared.tail);
    const step = await stepFor(prepared.environment, ledger);
    const sandbox = await sandboxFor(place);
    const spoiled: typeof sandbox = {
      ...sandbox,
      use: (environment, whole, work) =>
        sandbox.use(environment, whole, async (box) => {
          const result = await work(box);
          await box.exec(['/bin/sh', '-c', spoil], { timeoutMs: RUN_MS }, whole);
          await expect(proveFresh(box, [], whole)).rejects.toMatchObject({
            code: 'sandbox-failed',
            message: expect.stringContaining(found),
          });
          return result;
        }),
    };
    await useSolverBox(step, { sandbox: spoiled, blobs: ledger }, signal(), async () => null);
    expect.assertions(1);
  });

  test('an object that must be absent and is there keeps the box from being lent', async () => {
    const ledger = memoryLedger();
    const sandbox = await sandboxFor(place);
    const prepared = await sandbox.prepare(specFor('unittest'), [], signal());
    if (!prepared.ready) throw new Error(prepared.tail);
    const step = { ...(await stepFor(prepared.environment, ledger)), absent: ['HEAD:src/a.ts'] };
    const use = useSolverBox(step, { sandbox, blobs: ledger }, signal(), async () => 'lent');
    await expect(use).rejects.toThrow('holds HEAD:src/a.ts');
  });
}

const signal = () => new AbortController().signal;

async function stepFor(environment: Environment, ledger: ReturnType<typeof memoryLedger>) {
  const name = keepFiles(ledger, base);
  const contract = contractFor(name, editsA);
  return { environment, contract, base: name, absent: [], keep: () => undefined };
}

function protection(place: Place): void {
  test('protected files, folders and new names refuse every write; the editable file takes it', async () => {
    const box = await openBox({ place, files: base, contract: editsA });
    const tries = [
      'echo x >> src/b.ts',
      'rm -f src/b.ts',
      'mv src/a.ts src/b.ts',
      'sed -i s/b/x/ src/b.ts',
      'echo x > src/deep/new.ts',
      'mv src/deep src/gone',
      'echo x > test/a.test.ts',
      'echo x > package.json',
      'echo x > new.ts',
      'chmod 777 package.json',
    ];
    const script = tries.map((one) => `${one} && echo "did ${one}"`).join('; ');
    const said = await box.use((shell) =>
      lines(shell, `(${script}) 2>/dev/null; sed -i s/a/right/ src/a.ts && echo edited`),
    );
    expect(said).toEqual(['edited']);
    expect(leftText(box, 'src/a.ts')).toBe('right\n');
    expect(leftText(box, 'src/b.ts')).toBe('b\n');
  });

  test('new files go where the contract lets them be created, and nowhere else', async () => {
    const contract = { ...editsA, create: [{ glob: 'src/deep/**/*.ts' }, { glob: 'lib/*.ts' }] };
    const box = await openBox({ place, files: base, contract });
    const script =
      'mkdir -p src/deep/e lib && echo n > src/deep/e/n.ts && echo l > lib/l.ts; echo x > src/deep/c.ts || echo x > package.json || mv test t || echo held';
    const said = await box.use((shell) => lines(shell, `(${script}) 2>/dev/null`));
    expect(said).toEqual(['held']);
    expect([leftText(box, 'src/deep/e/n.ts'), leftText(box, 'lib/l.ts')]).toEqual(['n\n', 'l\n']);
    expect(leftText(box, 'src/deep/c.ts')).toBe('c\n');
  });

  test('a folder that was moved or replaced by a link breaks no later command', async () => {
    const contract = { ...editsA, create: [{ glob: 'src/**' }] };
    const files = { ...base, 'src/deep/down/d.ts': 'd\n' };
    const box = await openBox({ place, files, contract });
    const said = await box.use(async (shell) => [
      ...(await lines(shell, 'mv src/deep src/was && ln -s /etc src/deep && echo moved')),
      ...(await lines(shell, 'ls src/deep/down 2>/dev/null; echo on')),
    ]);
    expect(said).toEqual(['moved', 'on']);
    expect(leftText(box, 'src/was/c.ts')).toBe('c\n');
  });

  test('hidden tests of the contract’s build are laid nowhere, and there is no network', async () => {
    const words = 'asked in secret\n';
    const build = {
      network: 'none' as const,
      commands: [{ argv: ['true'] }],
      overlay: [{ path: hidden, sha256: `sha256:${sha256(words)}` }],
    };
    const contract = { ...editsA, build };
    const box = await openBox({ place, files: base, contract, known: [words] });
    const look = `test -e ${hidden} || echo absent
      grep -rl 'in [s]ecret' . /csw /tmp 2>/dev/null; grep -rl 'asks [a]' . | grep -v .git
      ls /sys/class/net 2>/dev/null | grep -v '^lo$'`;
    expect(await box.use((shell) => lines(shell, look))).toEqual(['absent', './test/a.test.ts']);
  });
}

function capture(place: Place): void {
  const edit = (shell: Shell) => shell.run('echo half > src/a.ts', RUN_MS);

  test('a model that fails in the middle leaves the tree as it was then', async () => {
    const box = await openBox({ place, files: base, contract: editsA });
    const lost = new Fault('model failed: gone. Again.', { code: 'model-unavailable' });
    const use = box.use(async (shell) => {
      await edit(shell);
      throw lost;
    });
    await expect(use).rejects.toBe(lost);
    expect(leftText(box, 'src/a.ts')).toBe('half\n');
  });

  test('a cancel ends the running command, and the tree is taken before the box goes', async () => {
    const stop = new AbortController();
    const box = await openBox({ place, files: base, contract: editsA, signal: stop.signal });
    const started = Date.now();
    const use = box.use(async (shell) => {
      await edit(shell);
      setTimeout(() => stop.abort(), 300);
      return await shell.run('sleep 50', 60_000);
    });
    await expect(use).rejects.toMatchObject({ name: 'AbortError' });
    expect(Date.now() - started).toBeLessThan(30_000);
    expect(leftText(box, 'src/a.ts')).toBe('half\n');
  });

  test('a command that runs out of time leaves what it had written', async () => {
    const box = await openBox({ place, files: base, contract: editsA });
    await box.use((shell) => shell.run('echo half > src/a.ts; sleep 50', 500));
    expect(leftText(box, 'src/a.ts')).toBe('half\n');
  });
}

/** What a solver's box must do in every sandbox that isolates. */
export function solverBoxes(place: Place): void {
  describe('its history', { timeout: PATIENCE }, () => history(place));
  describe('what it protects', { timeout: PATIENCE }, () => protection(place));
  describe('the candidate', { timeout: PATIENCE }, () => capture(place));
}
