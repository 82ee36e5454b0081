import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { materialise, rootOf } from '../../../pipeline/trees/materialise.ts';
import { readDirectory } from '../../../pipeline/trees/read-directory.ts';
import { openGitTrees } from '../../../pipeline/trees/read-git-tree.ts';
import type { TreeEntry } from '../../../schemas/tree.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { manifestRoot } from '../../../stages/contract/manifest.ts';
import { git, scratch, solverCopy } from '../../support/solver-copy.ts';

const zero = Buffer.alloc(20, 7);

/** A raw tree object, written as its bytes are, whatever git thinks of it. */
function rawTree(folder: string, rows: readonly (readonly [string, string | Buffer, Buffer])[]) {
  const bytes = Buffer.concat(
    rows.map(([mode, name, oid]) =>
      Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name), Buffer.from([0]), oid]),
    ),
  );
  const args = ['-C', folder, 'hash-object', '--literally', '-t', 'tree', '-w', '--stdin'];
  return execFileSync('git', args, { input: bytes, encoding: 'utf8' }).trim();
}

async function repository() {
  const folder = scratch();
  git(folder, 'init', '-q');
  const blob = (text: string) => {
    writeFileSync(join(folder, '.git/in'), text);
    return Buffer.from(git(folder, 'hash-object', '-w', join(folder, '.git/in')).trim(), 'hex');
  };
  const trees = await openGitTrees(folder);
  onTestFinished(() => trees.close());
  return { folder, blob, trees };
}

test.each<[string, readonly (readonly [string, string | Buffer])[], string]>([
  ['case 54: mode 100664', [['100664', 'a']], 'tree.mode'],
  ['case 50: a component of 256 bytes', [['100644', 'x'.repeat(256)]], 'tree.path'],
  [
    'entries out of order',
    [
      ['100644', 'b'],
      ['100644', 'a'],
    ],
    'tree.order',
  ],
  [
    'a name twice',
    [
      ['100644', 'a'],
      ['100644', 'a'],
    ],
    'tree.duplicate',
  ],
  ['a name with a slash', [['100644', 'a/b']], 'tree.path'],
  ['a name that climbs', [['100644', '..']], 'tree.path'],
  ['a repository inside', [['100644', '.git']], 'tree.git-path'],
  ['a name that is not UTF-8', [['100644', Buffer.from([0xff])]], 'tree.path'],
])('%s is no candidate', async (_, rows, code) => {
  const { folder, blob, trees } = await repository();
  const oid = blob('x\n');
  const found = await trees.tree(
    rawTree(
      folder,
      rows.map(([mode, name]) => [mode, name, oid] as const),
    ),
  );
  expect('problems' in found && found.problems.map((one) => one.code)).toContain(code);
});

test('case 50: a path of 4097 bytes in a git tree is no candidate', async () => {
  const { folder, blob, trees } = await repository();
  let below = rawTree(folder, [['100644', 'x'.repeat(17), blob('x\n')]]);
  for (let depth = 0; depth < 16; depth++)
    below = rawTree(folder, [['40000', 'd'.repeat(254), Buffer.from(below, 'hex')]]);
  const found = await trees.tree(below);
  expect('problems' in found && found.problems.map(({ code }) => code)).toEqual(['tree.path']);
});

test('case 51: a submodule at another commit violates', async () => {
  const { folder, judge } = await solverCopy();
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${zero.toString('hex')},third/x`);
  const trees = await openGitTrees(folder);
  onTestFinished(() => trees.close());
  const { exists, reasons } = judge(await trees.tree(git(folder, 'write-tree').trim()));
  expect([exists, reasons.map(({ code, path }) => [code, path])]).toEqual([
    true,
    [['bytes.protected', 'third/x']],
  ]);
});

test('a tree object that is cut is no tree, a missing one is a fault', async () => {
  const { folder, trees } = await repository();
  const args = ['-C', folder, 'hash-object', '--literally', '-t', 'tree', '-w', '--stdin'];
  const cut = execFileSync('git', args, {
    input: Buffer.from('100644 a'),
    encoding: 'utf8',
  }).trim();
  expect(await trees.tree(cut)).toMatchObject({ problems: [{ code: 'tree.kind' }] });
  await expect(trees.tree('0'.repeat(40))).rejects.toMatchObject({ code: 'source-unreadable' });
});

const name = fc.constantFrom('a', 'b', 'é', 'x y', '日本', 'src', 'lib', 'A-b.ts');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const kind = fc.constantFrom('file', 'exec', 'link');
const files = fc
  .uniqueArray(fc.tuple(path, kind, fc.string({ maxLength: 20 })), {
    selector: ([at]) => at,
    maxLength: 10,
  })
  .filter((list) => list.every(([at]) => !list.some(([other]) => other.startsWith(`${at}/`))));

test('a folder and the git tree of the same content are one tree with one root', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (list) => {
      const blobs = new Map<string, Uint8Array>();
      const entries = list.map(([at, of, text]): TreeEntry => {
        const bytes = new TextEncoder().encode(
          of === 'link' ? `t${text.replaceAll('\0', '')}` : text,
        );
        blobs.set(sha256(bytes), bytes);
        return { path: at, kind: of, size: bytes.length, sha256: sha256(bytes) };
      });
      const folder = scratch();
      await materialise(entries, (hash) => blobs.get(hash) ?? new Uint8Array(), folder);
      git(folder, 'init', '-q');
      git(folder, 'add', '-A', '-f');
      const trees = await openGitTrees(folder);
      const [disk, object] = [
        await readDirectory(folder),
        await trees.tree(git(folder, 'write-tree').trim()),
      ];
      await trees.close();
      const roots = [disk, object].map((found) =>
        'problems' in found ? found.problems : manifestRoot(found.entries),
      );
      expect(roots).toEqual([manifestRoot(entries), manifestRoot(entries)]);
      expect(await rootOf(folder, entries)).toBe(manifestRoot(entries));
      for (const entry of entries)
        expect('read' in object && object.read(entry.sha256)).toEqual(
          Buffer.from(blobs.get(entry.sha256) ?? []),
        );
    }),
    { numRuns: 12 },
  );
});

test('a fresh copy is written over nothing, and through no link', async () => {
  const bytes = new TextEncoder().encode('x\n');
  const file = { path: 'a/b', kind: 'file', size: 2, sha256: sha256(bytes) } as const;
  const folder = scratch();
  await materialise([file], () => bytes, folder);
  await expect(materialise([file], () => bytes, folder)).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(
    materialise([{ ...file, path: '../x' }], () => bytes, scratch()),
  ).rejects.toMatchObject({
    code: 'source-unreadable',
  });
  await expect(materialise([file], () => new Uint8Array(), scratch())).rejects.toMatchObject({
    code: 'blob-damaged',
  });
});
