import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TreeEntry } from '../../../schemas/tree.ts';
import { sha256 } from '../../../stages/contract/canonical-json.ts';
import {
  byPathBytes,
  manifestRoot,
  manifestText,
  modeOf,
  parseManifest,
} from '../../../stages/contract/manifest.ts';

const entry = (kind: TreeEntry['kind'], path: string, text: string): TreeEntry => ({
  path,
  kind,
  size: new TextEncoder().encode(text).length,
  sha256: sha256(text),
});

const vector = [
  entry('link', 'l', 'a.txt'),
  entry('file', 'src/é.ts', 'x\n'),
  entry('file', 'a.txt', 'hello\n'),
  entry('dir', 'empty', ''),
  entry('exec', 'bin/run', '#!/bin/sh\n'),
];

test('the published vector has its root, whatever the order of the entries', () => {
  expect(manifestRoot(vector)).toBe(
    'bd34dcb49115c29ae4c513e56c1120ca4cbf319f2bb6f25caafd04cfb0d4f129',
  );
  expect(new TextDecoder().decode(manifestText(vector))).toContain(
    'dir 040000 0 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 5:empty\n',
  );
});

test('a manifest reads back to the same entries and bytes', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter((text) => /^[^\n\r]+$/.test(text));
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
      const text = manifestText(names.map((path) => entry('file', path, path)));
      expect(manifestText(parseManifest(text))).toEqual(text);
    }),
    { numRuns: 60 },
  );
});

test('paths are ordered by bytes, also above the basic plane', () => {
  expect(['\u{1F600}', '\uFFFD', 'a'].toSorted(byPathBytes)).toEqual(['a', '\uFFFD', '\u{1F600}']);
});

test('a path that occurs twice is refused', () => {
  expect(() => manifestText([entry('file', 'a', ''), entry('exec', 'a', '')])).toThrow(
    '"a" occurs twice',
  );
});

const good = new TextDecoder().decode(manifestText(vector));
test.each([
  ['no header', good.slice(1)],
  ['a header of its own alone', good.slice(good.indexOf('\n') + 1)],
  ['a line that begins before its kind', good.replace('exec ', 'an exec ')],
  ['a line that goes on', good.replace(':a.txt', ':a.txt\u2028 ')],
  ['a line twice', good.replace(/(file .*a\.txt\n)/, '$1$1')],
  ['a digest in capitals', good.replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase())],
  ['a cut last line', good.slice(0, -1)],
  ['a mode of another kind', good.replace('100755', '100644')],
  ['a wrong length', good.replace('5:a.txt', '6:a.txt')],
  ['a size with a leading zero', good.replace(' 6 ', ' 06 ')],
  ['lines out of order', good.replace('5:empty', '5:zmpty')],
])('%s is not a manifest', (_, text) => {
  expect(() => parseManifest(new TextEncoder().encode(text))).toThrow('manifest unreadable');
});

const latin = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));

test('a manifest whose bytes are not UTF-8, or begin with a mark, is none', () => {
  const one = 'contract-manifest-v1\n';
  const bad = latin(`${one}file 100644 0 ${sha256('')} 1:\u00ff\n`);
  expect(() => parseManifest(bad)).toThrow(TypeError);
  expect(() => parseManifest(new TextEncoder().encode(`\ufeff${one}`))).toThrow('no "contract');
});

test('an unreadable line, a cut end and a broken order are named', () => {
  const read = (text: string) => () => parseManifest(new TextEncoder().encode(text));
  expect(read('contract-manifest-v1\nx\n')).toThrow('"x" is not a canonical entry');
  expect(read('contract-manifest-v1')).toThrow('cut last line');
  const lines = [entry('file', 'b', ''), entry('file', 'a', '')].map(
    (one) => new TextDecoder().decode(manifestText([one])).split('\n')[1],
  );
  expect(read(`contract-manifest-v1\n${lines.join('\n')}\n`)).toThrow('"a" is out of order');
});

test('an empty tree has a manifest, and a first path may be anything', () => {
  expect(parseManifest(manifestText([]))).toEqual([]);
  for (const path of ['!', ' ', '\u00e9'])
    expect(parseManifest(manifestText([entry('file', path, '')]))).toHaveLength(1);
});

test.each([
  ['a prefix stands before what it begins', ['a', 'a/b', 'a0', 'ab']],
  ['ASCII stands before the rest', ['Z', 'a', '\u00e9', '\uffee', '\u{10000}']],
])('%s, in any order of entries', (_, paths) => {
  const read = (list: readonly string[]) =>
    parseManifest(manifestText(list.map((path) => entry('file', path, '')))).map(
      ({ path }) => path,
    );
  expect(read(paths)).toEqual(paths);
  expect(read(paths.toReversed())).toEqual(paths);
});

test('every kind is written with the mode that git knows it by', () => {
  const kinds = ['file', 'exec', 'link', 'gitlink', 'dir'] as const;
  expect(kinds.map(modeOf)).toEqual(['100644', '100755', '120000', '160000', '040000']);
});
