import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDirectory } from '../../../pipeline/trees/read-directory.ts';
import { lruBase } from '../../support/lru-fixture.ts';
import { git, scratch, solverCopy } from '../../support/solver-copy.ts';

type Act = (folder: string) => void;
const write =
  (path: string, text = 'x\n'): Act =>
  (folder) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
const relink =
  (target: string): Act =>
  (folder) => {
    rmSync(join(folder, 'docs/latest'));
    symlinkSync(target, join(folder, 'docs/latest'));
  };
const editClock = (folder: string) => appendFileSync(join(folder, 'src/clock.ts'), '// more\n');

test.each<[string, Act, string[]]>([
  ['30: a new file', write('src/extra.ts'), ['path.added']],
  ['31: a deleted file', (at) => rmSync(join(at, 'src/clock.ts')), ['path.removed']],
  [
    '32: a rename with equal bytes',
    (at) => renameSync(join(at, 'src/clock.ts'), join(at, 'src/time.ts')),
    ['path.added', 'path.removed'],
  ],
  [
    '33: a copy',
    (at) => copyFileSync(join(at, 'src/clock.ts'), join(at, 'src/clock2.ts')),
    ['path.added'],
  ],
  ['34: mode 644 to 755', (at) => chmodSync(join(at, 'src/lru.ts'), 0o755), ['path.mode']],
  ['35: a link with another target', relink('v2'), ['bytes.protected']],
  ['38: a new empty directory', (at) => mkdirSync(join(at, 'src/empty')), ['path.added']],
  ['51: a file inside the submodule', write('third/x/a'), ['path.added']],
  [
    '52: another submodule address',
    write('.gitmodules', '[submodule "x"]\n\turl = y\n'),
    ['bytes.protected'],
  ],
  [
    '53: another attribute of files',
    write('.gitattributes', '* text eol=crlf\n'),
    ['bytes.protected'],
  ],
  [
    '55: an edit behind assume-unchanged',
    (at) => {
      git(at, 'update-index', '--assume-unchanged', 'src/clock.ts');
      editClock(at);
      expect(git(at, 'status', '--porcelain')).toBe('');
    },
    ['bytes.protected'],
  ],
  [
    '56: an edit behind skip-worktree',
    (at) => {
      git(at, 'update-index', '--skip-worktree', 'src/clock.ts');
      editClock(at);
      expect(git(at, 'status', '--porcelain')).toBe('');
    },
    ['bytes.protected'],
  ],
  [
    '57: an edit behind a clean filter',
    (at) => {
      git(at, 'config', 'filter.hide.clean', 'git show HEAD:src/clock.ts');
      writeFileSync(join(at, '.git/info/attributes'), 'src/clock.ts filter=hide\n');
      editClock(at);
      expect(git(at, 'diff', '--stat')).toBe('');
    },
    ['bytes.protected'],
  ],
  [
    '58: a new file behind info/exclude',
    (at) => {
      writeFileSync(join(at, '.git/info/exclude'), 'src/x.ts\n');
      write('src/x.ts')(at);
      expect(git(at, 'status', '--porcelain')).toBe('');
    },
    ['path.added'],
  ],
  [
    '59: a new file that .gitignore names',
    (at) => {
      write('conftest.py')(at);
      expect(git(at, 'status', '--porcelain')).toBe('');
    },
    ['path.added'],
  ],
  [
    '60: a change that is committed in the copy',
    (at) => {
      editClock(at);
      git(at, 'commit', '-q', '-a', '-m', 'mine');
      expect(git(at, 'status', '--porcelain')).toBe('');
    },
    ['bytes.protected'],
  ],
])('case %s violates', async (_, act, codes) => {
  const { folder, verdict } = await solverCopy();
  act(folder);
  const { exists, conforms, reasons } = await verdict();
  expect([exists, conforms, reasons.map(({ code }) => code)]).toEqual([true, false, codes]);
});

test.each<[string, Act, string]>([
  ['36: an absolute link', relink('/etc/hostname'), 'tree.link'],
  ['37: a link out of the root', relink('../../x'), 'tree.link'],
  ['39: a fifo', (at) => execFileSync('mkfifo', [join(at, 'src/p')]), 'tree.kind'],
  ['40: a setuid bit', (at) => chmodSync(join(at, 'src/lru.ts'), 0o4755), 'tree.mode'],
  ['40: a sticky folder', (at) => chmodSync(join(at, 'src'), 0o1755), 'tree.mode'],
  ['41: a name that differs in case alone', write('readme.md'), 'tree.collision'],
  ['42: .GIT/config', write('.GIT/config'), 'tree.git-path'],
  ['43: git~1/config', write('git~1/config'), 'tree.git-path'],
  ['44: the device CON', write('CON'), 'tree.portable'],
  ['44: src/aux.ts', write('src/aux.ts'), 'tree.portable'],
  ['45: a trailing dot', write('src/a.ts.'), 'tree.portable'],
  ['45: a trailing blank', write('src/b '), 'tree.portable'],
  ['46: a backslash', write('src\\evil.ts'), 'tree.path'],
])('case %s is no candidate', async (_, act, code) => {
  const { folder, verdict } = await solverCopy();
  act(folder);
  const { exists, reasons } = await verdict();
  expect([exists, reasons[0]?.code]).toEqual([false, code]);
});

// Only a superuser makes a device, and not in every sandbox.
const mknod = (at: string) => execFileSync('mknod', [at, 'c', '1', '3'], { stdio: 'ignore' });
const makesDevices = (() => {
  const at = join(mkdtempSync(join(tmpdir(), 'device-')), 'null');
  try {
    mknod(at);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(at, { force: true });
  }
})();

test.skipIf(!makesDevices)('case 39: a device is no candidate', async () => {
  const { folder, verdict } = await solverCopy();
  mknod(join(folder, 'src/null'));
  const { exists, reasons } = await verdict();
  expect([exists, reasons[0]?.code]).toEqual([false, 'tree.kind']);
});

test('case 39: a socket is no candidate', async () => {
  const { folder, verdict } = await solverCopy();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(folder, 'src/s'), resolve));
  const { reasons } = await verdict();
  server.close();
  expect(reasons.map(({ code, path }) => [code, path])).toEqual([['tree.kind', 'src/s']]);
});

test('case 44: a device name that the base already has is tolerated', async () => {
  expect(Object.keys(lruBase)).toContain('src/aux.c');
  const { verdict } = await solverCopy();
  expect(await verdict()).toEqual({ exists: true, conforms: true, reasons: [] });
});

test.each<[string, Act, string]>([
  [
    'a hard link',
    (at) => linkSync(join(at, 'src/clock.ts'), join(at, 'src/b.ts')),
    'tree.hardlink',
  ],
  [
    'a sparse file of 5 GB, unread',
    (at) => {
      write('src/big')(at);
      truncateSync(join(at, 'src/big'), 5 * 2 ** 30);
    },
    'tree.too-large',
  ],
  [
    'a name that is not UTF-8',
    (at) => writeFileSync(Buffer.concat([Buffer.from(`${at}/src/`), Buffer.from([0xff])]), ''),
    'tree.path',
  ],
])('%s is no candidate', async (_, act, code) => {
  const { folder, verdict } = await solverCopy();
  act(folder);
  const { exists, reasons } = await verdict();
  expect([exists, reasons[0]?.code]).toEqual([false, code]);
});

test('the limit on bytes is judged before a file is read', async () => {
  const folder = scratch();
  write('a', '12345')(folder);
  const found = await readDirectory(folder, { maxBytes: 4 });
  expect(found).toMatchObject({ problems: [{ code: 'tree.too-large', path: 'a' }] });
});

test('excluded folders are refused in a candidate and dropped from a base, discarded paths are listed', async () => {
  const folder = scratch();
  write('node_modules/a/index.js')(folder);
  write('coverage/x.json')(folder);
  write('a.ts')(folder);
  const options = { excludeDirs: ['node_modules'], discard: ['coverage/**'] };
  const base = await readDirectory(folder, options);
  expect(base).toMatchObject({
    entries: [{ path: 'a.ts' }],
    discarded: ['coverage/x.json'],
  });
  const candidate = await readDirectory(folder, { ...options, isCandidate: true });
  expect(candidate).toMatchObject({ problems: [{ code: 'tree.excluded', path: 'node_modules' }] });
});
