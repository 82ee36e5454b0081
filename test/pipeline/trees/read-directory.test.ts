import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashOpen, withFile } from '../../../pipeline/trees/hash-file.ts';
import { readDirectory } from '../../../pipeline/trees/read-directory.ts';
import type { TreeEntry } from '../../../schemas/tree.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { scratch } from '../../support/solver-copy.ts';

const fileOf = (path: string, text: string): TreeEntry => ({
  path,
  kind: 'file',
  size: text.length,
  sha256: sha256(text),
});

test('a file of another size than in the base is counted as changed before it is read', async () => {
  const folder = scratch();
  writeFileSync(join(folder, 'old'), 'x'.repeat(100));
  writeFileSync(join(folder, 'new'), '');
  truncateSync(join(folder, 'new'), 2 ** 31);
  const options = { base: [fileOf('old', 'x'.repeat(100))], maxChangedBytes: 50 };
  expect(await readDirectory(folder, options)).toMatchObject({
    problems: [{ code: 'tree.too-large', path: 'new' }],
  });
  truncateSync(join(folder, 'new'), 50);
  expect(await readDirectory(folder, options)).toMatchObject({ discarded: [] });
});

test('small changes that are too much together are too large', async () => {
  const folder = scratch();
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), '12345');
  const found = await readDirectory(folder, { maxChangedBytes: 9 });
  expect('problems' in found && found.problems.map(({ code }) => code)).toEqual(['tree.too-large']);
});

test('every problem of a tree is said, the first of the closed list first', async () => {
  const folder = scratch();
  execFileSync('mkfifo', [join(folder, 'z')]);
  writeFileSync(join(folder, 'a\\b'), '');
  writeFileSync(join(folder, 'c'), '');
  chmodSync(join(folder, 'c'), 0o2644);
  const found = await readDirectory(folder);
  expect('problems' in found && found.problems.map(({ code, path }) => [code, path])).toEqual([
    ['tree.kind', 'z'],
    ['tree.path', 'a\\b'],
    ['tree.mode', 'c'],
  ]);
});

// The superuser may read whatever a mode forbids.
test.skipIf(process.getuid?.() === 0)('what its mode forbids to read is no tree', async () => {
  const folder = scratch();
  writeFileSync(join(folder, 'a'), 'x');
  mkdirSync(join(folder, 'b'));
  for (const name of ['a', 'b']) chmodSync(join(folder, name), 0);
  const found = await readDirectory(folder);
  chmodSync(join(folder, 'b'), 0o755);
  expect('problems' in found && found.problems.map(({ code, path }) => [code, path])).toEqual([
    ['tree.mode', 'a'],
    ['tree.mode', 'b'],
  ]);
});

test('what was put in the place of a listed file is neither followed nor waited for', () => {
  const folder = scratch();
  const place = join(folder, 'a');
  const size = () => withFile(place, (_, stats) => stats.size);
  symlinkSync('/etc/hostname', place);
  expect(size).toThrow(/changed while it was read/u);
  rmSync(place);
  expect(size).toThrow(/changed while it was read/u);
  execFileSync('mkfifo', [place]);
  expect(size).toThrow(/changed while it was read/u);
});

test.each([3, 2 ** 20, 2 ** 20 + 1])(
  'a file of %d bytes that grew or shrank is a fault',
  (size) => {
    const place = join(scratch(), 'a');
    const bytes = Buffer.alloc(size, 7);
    writeFileSync(place, bytes);
    const hashed = (of: number) => withFile(place, (file) => hashOpen(file, of, place));
    expect(hashed(size)).toBe(sha256(bytes));
    for (const wrong of [size - 1, size + 1])
      expect(() => hashed(wrong)).toThrow(/changed while it was read/u);
  },
);

test('bytes that changed after the tree was read are a fault and never handed out', async () => {
  const folder = scratch();
  writeFileSync(join(folder, 'a'), 'one');
  const found = await readDirectory(folder);
  writeFileSync(join(folder, 'a'), 'two');
  expect(() => 'read' in found && found.read(sha256('one'))).toThrow(/changed/u);
  expect('read' in found && found.read(sha256('two'))).toBeUndefined();
});

test('a submodule that was taken away is no longer in the tree', async () => {
  const link = {
    path: 'third/x',
    kind: 'gitlink',
    size: 40,
    sha256: sha256('7'.repeat(40)),
  } as const;
  const folder = scratch();
  mkdirSync(join(folder, 'third/x'), { recursive: true });
  expect(await readDirectory(folder, { base: [link] })).toMatchObject({ entries: [link] });
  rmSync(join(folder, 'third/x'), { recursive: true });
  expect(await readDirectory(folder, { base: [link] })).toMatchObject({
    entries: [{ path: 'third', kind: 'dir' }],
  });
});
