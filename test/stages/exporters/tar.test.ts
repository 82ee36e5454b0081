import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fitsUstar, type TarEntry, tar } from '../../../stages/exporters/tar.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const file = (path: string, text = 'x\n', kind: TarEntry['kind'] = 'file'): TarEntry => ({
  path,
  kind,
  bytes: Buffer.from(text),
});

test('GNU tar unpacks every kind of entry with its mode', () => {
  const folder = tempFolder();
  const long = `${'a'.repeat(90)}/${'b'.repeat(90)}.txt`;
  const entries = [
    file('bin/run', '#!/bin/sh\n', 'exec'),
    file('é.txt', 'ünï\n'),
    file('link', 'é.txt', 'link'),
    file('empty', '', 'dir'),
    file(long),
    file('none', ''),
  ];
  writeFileSync(join(folder, 'a.tar'), tar(entries));
  execFileSync('tar', ['-xf', 'a.tar'], { cwd: folder });
  expect(readFileSync(join(folder, 'é.txt'), 'utf8')).toBe('ünï\n');
  expect(readFileSync(join(folder, long), 'utf8')).toBe('x\n');
  expect(lstatSync(join(folder, 'bin/run')).mode & 0o777).toBe(0o755);
  expect(readlinkSync(join(folder, 'link'))).toBe('é.txt');
  expect(lstatSync(join(folder, 'empty')).isDirectory()).toBe(true);
});

test('the same entries in another order are the same bytes', () => {
  const entries = [file('b/c'), file('a'), file('b.txt')];
  expect(tar(entries)).toEqual(tar(entries.toReversed()));
});

test.each([
  ['a name of 101 bytes without a slash', file('n'.repeat(101)), false],
  ['a path that splits', file(`${'d'.repeat(120)}/${'n'.repeat(100)}`), true],
  ['a folder part of 156 bytes', file(`${'d'.repeat(156)}/n`), false],
  ['a link target of 101 bytes', file('l', 't'.repeat(101), 'link'), false],
])('%s fits: %o', (_, entry, fits) => {
  expect(fitsUstar(entry)).toBe(fits);
  if (!fits) expect(() => tar([entry])).toThrow('does not fit');
});
