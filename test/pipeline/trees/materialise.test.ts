import { lstatSync, readlinkSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { materialise } from '../../../pipeline/trees/materialise.ts';
import type { TreeEntry } from '../../../schemas/tree.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import { scratch } from '../../support/solver-copy.ts';

const read = (texts: readonly string[]) => (name: string) =>
  Buffer.from(texts.find((text) => sha256(text) === name) ?? '');

const entry = (path: string, kind: TreeEntry['kind'], text: string): TreeEntry => ({
  path,
  kind,
  size: text.length,
  sha256: sha256(text),
});

test('a fresh copy has the modes of its entries and one time, whatever the mask of the process', async () => {
  const folder = scratch();
  const old = process.umask(0o077);
  const entries = [
    entry('bin/run', 'exec', 'x'),
    entry('empty', 'dir', ''),
    entry('l', 'link', 'bin/run'),
    entry('src/a', 'file', 'x'),
    entry('third/x', 'gitlink', '7'.repeat(40)),
  ];
  await materialise(entries, read(['x', 'bin/run']), folder);
  process.umask(old);
  const modes = ['bin', 'bin/run', 'empty', 'src/a', 'third/x'].map(
    (path) => lstatSync(join(folder, path)).mode & 0o7777,
  );
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o644, 0o755]);
  expect(readlinkSync(join(folder, 'l'))).toBe('bin/run');
  const times = ['', 'bin', 'bin/run', 'empty', 'l', 'src/a', 'third/x'].map((path) =>
    lstatSync(join(folder, path)).mtime.toISOString(),
  );
  expect(new Set(times)).toEqual(new Set(['2000-01-01T00:00:00.000Z']));
});

test('no folder of a copy is a link that lies there already', async () => {
  const folder = scratch();
  const elsewhere = scratch();
  symlinkSync(elsewhere, join(folder, 'src'));
  await expect(
    materialise([entry('src/a', 'file', 'x')], read(['x']), folder),
  ).rejects.toMatchObject({ code: 'out-not-writable' });
});
